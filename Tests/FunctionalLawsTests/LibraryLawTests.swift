import FunctionalLaws
import PropertyTesting
import Testing

/// The library itself keeps every law.
@Suite("Laws of the library", .cases(200))
struct LibraryLawTests {
    @Test(arguments: StateLaw.allCases)
    func states(_ law: StateLaw) async {
        await law.property().check()
    }

    @Test(arguments: EnvIOLaw.allCases)
    func programs(_ law: EnvIOLaw) async {
        await law.property().check()
    }

    @Test(arguments: DispatcherLaw.allCases)
    func dispatchers(_ law: DispatcherLaw) async {
        await law.property().check()
    }
}
