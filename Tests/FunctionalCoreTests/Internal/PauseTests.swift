import Dispatch
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// A program that computes for long pauses so that other tasks can run.
@Suite("Pauses", .timeLimit(.minutes(10)))
struct PauseTests {
    typealias Program = EnvIO<Void, any Error, Int>

    struct Again: Error {}

    static func loop(_ number: Int) -> Program {
        Program.pure(number).flatMap { loop($0 &+ 1) }
    }

    /// Endless programs that never wait.
    static let endless = [
        Named("a loop", loop(0)),
        Named("repeat", Program { _ in 1 }.repeat(.forever)),
        Named("repeat within a program", Program.pure(0).flatMap { _ in Program { _ in 1 }.repeat(.forever) }),
        Named("repeat of nodes", Program.pure(0).flatMap { .pure($0) }.repeat(.forever)),
        Named("retry", Program { _ in throw Again() }.retry(.forever)),
        Named(
            "retry within a program", Program.pure(0).flatMap { _ in Program { _ in throw Again() }.retry(.forever) }),
        Named("retry of an async closure", Program { _ async throws(any Error) in throw Again() }.retry(.forever)),
    ]

    @Test("An endless program lets other programs run", arguments: endless)
    func others(endless: Named<Program>) throws {
        // The scheduler has one thread, so the other program runs only if the endless one pauses.
        let race = endless.value.race(Program { _ async throws(any Error) in 7 })
        #expect(try VirtualScheduler().run { await race.outcome().word } == "7")
    }

    /// Programs that end after a long computation.
    static let long = [
        Named("in a region", Program.uncancellable { _ in steps(30_000) { _ in } }),
        Named("in a binding", binding(bound <- .pure(1), |<-steps(30_000) { _ in }, yield: bound.get)),
        Named("nested to the left", (0..<30_000).reduce(.pure(0)) { program, _ in program.flatMap { .pure($0 + 1) } }),
        Named("a chain of maps", (0..<30_000).reduce(.pure(0)) { program, _ in program.map { $0 + 1 } }),
        Named("many at once, one by one", (0..<30_000).parTraverse(limit: 1) { .pure($0) }.map { $0.count }),
    ]

    private static let bound = Program.var()

    @Test("A long program lets other programs run, however it is composed", arguments: long)
    func elsewhere(long: Named<Program>) throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        // Runs after all jobs that are already enqueued.
        let short = Program { _ in
            await Task(executorPreference: scheduler.executor) {}.value
            log.append("short")
            return 1
        }
        let both = long.value.tap { _ in log.append("long") }.parZip(short)
        _ = try scheduler.run { await both.outcome() }
        #expect(log.lines == ["short", "long"])
    }

    @Test(
        "A retry that is cancelled during a pause makes no further attempt", arguments: [false, true],
        [Form.closure, .async])
    func cancelledDuringAPause(inAProgram: Bool, form: Form) throws {
        let scheduler = VirtualScheduler()
        let (attempts, late, isOver) = (Guarded(0), Guarded(0), Guarded(false))
        let attempt: @Sendable () throws -> Int = {
            attempts.increment()
            if isOver.value { late.increment() }
            throw Again()
        }
        let closure =
            form == .async ? Program { _ async throws(any Error) in try attempt() } : Program { try attempt() }
        let again = closure.retry(.forever)
        let other = Program { _ async throws(any Error) in
            isOver.value = true
            return 7
        }
        let program = inAProgram ? Program.pure(0).flatMap { _ in again } : again
        #expect(try scheduler.run { await program.race(other).outcome().word } == "7")
        #expect(attempts.value > 1)
        #expect(late.value == 0)
    }

    /// Returns a program of `count` steps, each of which calls `look`.
    static func steps(_ count: Int, from number: Int = 0, _ look: @escaping @Sendable (Int) -> Void) -> Program {
        number == count
            ? .pure(number)
            : Program { _ in
                look(number)
                return number + 1
            }
            .flatMap { steps(count, from: $0, look) }
    }

    @Test("After a pause, a run resumes on the caller's actor")
    @MainActor func isolation() async {
        // This task waits for the main actor, so it can run only in a pause.
        let others = Guarded(0)
        let other = Task { @MainActor in others.increment() }
        let program = Self.steps(30_000) { number in
            MainActor.assertIsolated()
            if number == 29_999 { #expect(others.value == 1) }
        }
        #expect(await program.outcome().word == "30000")
        _ = await other.value
    }

    @Test("After a pause, a run resumes on the queue that it was moved to")
    func queue() async {
        let queue = DispatchQueue(label: "pauses")
        let others = Guarded(0)
        let program = Self.steps(30_000) { number in
            dispatchPrecondition(condition: .onQueue(queue))
            if number == 0 { queue.async { others.increment() } }
            if number == 29_999 { #expect(others.value == 1) }
        }
        #expect(await program.on(queue).outcome().word == "30000")
    }

    @Test("runSync(_:) and start(_:) run a long synchronous program without a pause")
    func synchronous() throws {
        #expect(try Self.steps(30_000) { _ in }.runSync() == 30_000)
        guard case .finished(.value(30_000)) = Self.steps(30_000, { _ in }).start(()) else {
            Issue.record("start(_:) did not finish the program with the number of its steps.")
            return
        }
    }
}
