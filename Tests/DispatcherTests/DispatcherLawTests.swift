import PropertyTesting
import Testing

@Suite("Dispatcher: laws", .cases(200), .timeLimit(.minutes(10)))
struct DispatcherLawTests {
    @Test(arguments: DispatcherLaw.allCases)
    func aLawOfDispatchersHolds(_ law: DispatcherLaw) async {
        await law.check()
    }
}
