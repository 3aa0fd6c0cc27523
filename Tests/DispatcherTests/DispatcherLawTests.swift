import FunctionalLaws
import PropertyTesting
import Testing

/// The library's dispatchers satisfy every law. The tests of the laws check that the laws reject broken dispatchers.
@Suite("Dispatcher: laws", .cases(200), .timeLimit(.minutes(10)))
struct DispatcherLawTests {
    @Test(arguments: DispatcherLaw.allCases)
    func aLawOfDispatchersHolds(_ law: DispatcherLaw) async {
        await law.property().check()
    }
}
