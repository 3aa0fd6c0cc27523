import FunctionalLaws
import PropertyTesting
import Testing

/// The library's dispatchers keep every law. That the laws notice broken ones is tested with the laws.
@Suite("Dispatcher: laws", .cases(200), .timeLimit(.minutes(10)))
struct DispatcherLawTests {
    @Test(arguments: DispatcherLaw.allCases)
    func holds(_ law: DispatcherLaw) async {
        await law.property().check()
    }
}
