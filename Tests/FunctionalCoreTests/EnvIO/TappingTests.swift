import FunctionalCore
import TestSupport
import Testing

@Suite("tap and flatTap", .timeLimit(.minutes(10)))
struct TappingTests {
    @Test func tapIsNotCalledForAFailureOrACancellation() throws {
        let seen = Record<String>()
        #expect(try World().outcome(of: failing("a").tap { seen.append($0) }) == .failure(Broken(name: "a")))
        #expect(try World().outcome(of: Step<String>.cancelled.tap { seen.append($0) }) == .cancelled)
        let world = World()
        let task = world.start(step("never").after(10).tap { seen.append($0) })
        world.cancel(task)
        #expect(world.log.lines == ["0 ended as cancelled"])
        #expect(seen.values.isEmpty)
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

    @Test func flatTapEndsAsTheSecondProgramUnlessItSucceeds() throws {
        let world = World()
        #expect(try world.outcome(of: step("a").flatTap { _ in failing("b") }) == .failure(Broken(name: "b")))
        #expect(try world.outcome(of: step("c").flatTap { _ in Step<Int>.cancelled }) == .cancelled)
        #expect(try world.outcome(of: failing("d").flatTap { _ in step("e") }) == .failure(Broken(name: "d")))
        #expect(world.log.lines == ["0 a", "0 b", "0 c", "0 d"])
    }

    @Test func aRunThatIsCancelledInTheSecondProgramIsCancelled() {
        let world = World()
        let task = world.start(step("a").flatTap { _ in pause(9) }.map { "\($0) went on" })
        world.cancel(task)
        #expect(world.log.lines == ["0 a", "0 ended as cancelled"])
    }

    @Test func tapErrorIsCalledForEachFailureThatIsRetried() throws {
        let seen = Record<String>()
        let program = failing("a").tapError { seen.append($0.name) }
        #expect(try World().outcome(of: program.retry(.recurs(2))) == .failure(Broken(name: "a")))
        #expect(seen.values == ["a", "a", "a"])
    }

    @Test func tapErrorIsNotCalledForAValueOrACancellation() async throws {
        let seen = Record<String>()
        #expect(try World().outcome(of: step("a").tapError { seen.append($0.name) }) == .value("a"))
        #expect(try World().outcome(of: Step<String>.cancelled.tapError { seen.append($0.name) }) == .cancelled)
        for (_, program) in ThrownCancellationTests.lookers {
            let outcome = await Task { await program.tapError { _ in seen.append("thrown") }.outcome() }.value
            guard case .cancelled = outcome else {
                Issue.record("The run ended as \(outcome).")
                continue
            }
        }
        #expect(seen.values.isEmpty)
    }
}
