import FunctionalCore
import Optics
import Testing

@Suite("Prisms to cases of the library's and the standard library's enums", .timeLimit(.minutes(10)))
struct PrismCasesTests {
    private struct Screen { var load = Result<Row, Refusal>.failure(Refusal()) }

    /// The type of the prism follows from the optic before it.
    @Test func aPrismIsInferredWhereItIsAppended() {
        let row = Lens(\Screen.load).appending(Prism.success())
        let names = Traversal<[Screen], Screen>.each.load.appending(Prism.success()).name
        var screen = Screen()

        #expect(row.name.extract(screen) == nil)
        screen.load = .success(Row(name: "Ann"))
        row.name.set(&screen, "Zoe")
        #expect(names.getAll([screen, Screen()]) == ["Zoe"])
    }

    @Test func onlyOneValueMatches() {
        let quit = Prism.only("q")
        var input = "p"

        #expect(quit.matches("q") && !quit.matches("p") && quit.embed(()) == "q")
        #expect(!quit.set(&input, ()) && input == "p")
        #expect(!Prism.only(Double.nan).matches(.nan))
        #expect(Prism.only(0.0).matches(-0.0))
    }
}
