import FunctionalCore
import TestSupport
import Testing

@Suite("tap and flatTap", .timeLimit(.minutes(10)))
struct TappingTests {
    private let seen = Log()

    @Test func tapIsNotCalledForAFailureOrACancellation() throws {
        let observe: @Sendable (String) -> Void = { [seen] name in seen.append(name) }
        #expect(try World().outcome(of: failing("a").tap(observe)) == .failure(Broken(name: "a")))
        #expect(try World().outcome(of: Step<String>.cancelled.tap(observe)) == .cancelled)
        #expect(lines(of: step("never").after(10).tap(observe)) == ["0 ended as cancelled"])
        #expect(seen.lines.isEmpty)
    }

    @Test func tapMayRunTheSameProgramAgain() throws {
        let seen = Record<Int>()
        @Sendable func nested(_ depth: Int) -> EnvIO<Void, Never, Int> {
            EnvIO<Void, Never, Int>.pure(depth).tap { depth in
                if depth > 0 { seen.append(nested(depth - 1).runSync()) }
            }
        }
        #expect(nested(3).runSync() == 3)
        #expect(seen.values == [0, 1, 2])
    }

    @Test func flatTapEndsAsCancelledWithTheSecondProgram() throws {
        #expect(lines(of: step("a").flatTap { _ in Step<Int>.cancelled }) == ["0 a", "0 ended as cancelled"])
        #expect(
            lines(of: step("a").flatTap { _ in pause(9) }.map { "\($0) went on" }) == ["0 a", "0 ended as cancelled"])
    }

    @Test func tapErrorIsCalledForEachFailureThatIsRetried() throws {
        let program = failing("a").tapError { [seen] in seen.append($0.name) }
        #expect(try World().outcome(of: program.retry(.recurs(2))) == .failure(Broken(name: "a")))
        #expect(seen.lines == ["a", "a", "a"])
    }

    @Test func tapErrorIsNotCalledForAValueOrACancellation() async throws {
        let observe: @Sendable (Broken) -> Void = { [seen] in seen.append($0.name) }
        #expect(try World().outcome(of: step("a").tapError(observe)) == .value("a"))
        #expect(try World().outcome(of: Step<String>.cancelled.tapError(observe)) == .cancelled)
        for looker in ThrownCancellationTests.lookers {
            let program = looker.value.tapError { [seen] _ in seen.append("thrown") }
            #expect(await Task { await program.outcome().word }.value == "cancelled")
        }
        #expect(seen.lines.isEmpty)
    }
}
