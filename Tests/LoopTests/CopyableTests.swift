import Loop
import Testing

@Suite(.timeLimit(.minutes(10))) struct CopyableTests {
    private struct Model: Mobius.Copyable, Equatable {
        var name = "Ann"
        var isLoading = false
    }

    private struct Refused: Error {}

    @Test func copyChangesTheCopyAndNotTheOriginal() {
        let model = Model()
        #expect(model.copy { $0.isLoading = true } == Model(isLoading: true))
        #expect(model == Model())
    }

    @Test func copyRethrowsTheErrorOfTheChange() {
        #expect(throws: Refused.self) {
            try Model().copy { (_: inout Model) throws(Refused) in throw Refused() }
        }
    }
}
