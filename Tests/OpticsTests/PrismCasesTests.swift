import FunctionalCore
import Optics
import Testing

@Suite("Prisms to cases of the library's and the standard library's enums", .timeLimit(.minutes(10)))
struct PrismCasesTests {
    private struct Screen { var load = Result<Row, Refusal>.failure(Refusal()) }

    @Test func aResultHasASuccessOrAFailure() {
        let success = Prism<Result<Int, Refusal>, Int>.success()
        let failure = Prism<Result<Int, Refusal>, Refusal>.failure()

        #expect(success.extract(.success(1)) == 1 && success.extract(.failure(Refusal())) == nil)
        #expect(failure.extract(.failure(Refusal())) == Refusal() && failure.extract(.success(1)) == nil)
        #expect(success.embed(2) == .success(2) && failure.embed(Refusal()) == .failure(Refusal()))
        #expect(success.modifying(.success(1)) { $0 += 1 } == .success(2))
    }

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

    @Test func anEitherIsLeftOrRight() {
        let left = Prism<Either<Int, String>, Int>.left()
        let right = Prism<Either<Int, String>, String>.right()

        #expect(left.extract(.left(1)) == 1 && left.extract(.right("a")) == nil)
        #expect(right.extract(.right("a")) == "a" && right.extract(.left(1)) == nil)
        #expect(left.embed(2) == .left(2) && right.embed("b") == .right("b"))
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
