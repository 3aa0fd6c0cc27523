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
    static let endless: [(name: String, program: Program)] = [
        ("a loop", loop(0)),
        ("repeat", Program { _ in 1 }.repeat(.forever)),
        ("repeat within a program", Program.pure(0).flatMap { _ in Program { _ in 1 }.repeat(.forever) }),
        ("repeat of nodes", Program.pure(0).flatMap { .pure($0) }.repeat(.forever)),
        ("retry", Program { _ in throw Again() }.retry(.forever)),
        ("retry within a program", Program.pure(0).flatMap { _ in Program { _ in throw Again() }.retry(.forever) }),
        ("retry of an async closure", Program { _ async throws(any Error) in throw Again() }.retry(.forever)),
    ]

    @Test("An endless program lets other programs run", arguments: endless.indices)
    func others(index: Int) throws {
        let scheduler = VirtualScheduler()
        // The scheduler has one thread, so the other program runs only if the endless one pauses.
        let outcome = try scheduler.run {
            await Self.endless[index].program.race(Program { _ async throws(any Error) in 7 }).outcome()
        }
        guard case .value(7) = outcome else {
            Issue.record("\(Self.endless[index].name): the race ended with \(outcome).")
            return
        }
    }

    /// Programs that end after a long computation.
    static let long: [(name: String, program: Program)] = [
        ("in a region", Program.uncancellable { _ in steps(30_000) { _ in } }),
        ("in a binding", binding(bound <- .pure(1), |<-steps(30_000) { _ in }, yield: bound.get)),
        ("nested to the left", (0..<30_000).reduce(.pure(0)) { program, _ in program.flatMap { .pure($0 + 1) } }),
        ("a chain of maps", (0..<30_000).reduce(.pure(0)) { program, _ in program.map { $0 + 1 } }),
        ("many at once, one by one", (0..<30_000).parTraverse(limit: 1) { .pure($0) }.map { $0.count }),
    ]

    private static let bound = Program.var()

    @Test("A long program lets other programs run, however it is composed", arguments: long.indices)
    func elsewhere(index: Int) throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        _ = try scheduler.run {
            await Self.long[index].program
                .map {
                    log.append("long")
                    return $0
                }
                .parZip(
                    Program { _ in
                        // This task runs after all jobs that are already enqueued.
                        await Task(executorPreference: scheduler.executor) {}.value
                        log.append("short")
                        return 1
                    }
                )
                .outcome()
        }
        #expect(log.lines == ["short", "long"], "\(Self.long[index].name)")
    }

    @Test(
        "A retry that is cancelled during a pause makes no further attempt", arguments: [false, true],
        [Form.closure, .async])
    func cancelledDuringAPause(inAProgram: Bool, form: Form) throws {
        let scheduler = VirtualScheduler()
        let (attempts, isOver) = (Guarded(0), Guarded(false))
        let late = Guarded(0)
        let attempt: @Sendable () throws -> Int = {
            attempts.withLock { $0 += 1 }
            if isOver.withLock({ $0 }) { late.withLock { $0 += 1 } }
            throw Again()
        }
        let closure =
            form == .async ? Program { _ async throws(any Error) in try attempt() } : Program { try attempt() }
        let again = closure.retry(.forever)
        let other = Program { _ async throws(any Error) in
            isOver.withLock { $0 = true }
            return 7
        }
        let program = inAProgram ? Program.pure(0).flatMap { _ in again } : again
        guard case .value(7) = try scheduler.run({ await program.race(other).outcome() }) else {
            Issue.record("The other program did not win the race.")
            return
        }
        #expect(attempts.withLock { $0 } > 1)
        #expect(late.withLock { $0 } == 0)
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
        let other = Task { @MainActor in others.withLock { $0 += 1 } }
        let program = Self.steps(30_000) { number in
            MainActor.assertIsolated()
            if number == 29_999 { #expect(others.withLock { $0 } == 1) }
        }
        guard case .value(30_000) = await program.outcome() else {
            Issue.record("The program did not end with the number of its steps.")
            return
        }
        await other.value
    }

    @Test("After a pause, a run resumes on the queue that it was moved to")
    func queue() async {
        let queue = DispatchQueue(label: "pauses")
        let others = Guarded(0)
        let program = Self.steps(30_000) { number in
            dispatchPrecondition(condition: .onQueue(queue))
            if number == 0 { queue.async { others.withLock { $0 += 1 } } }
            if number == 29_999 { #expect(others.withLock { $0 } == 1) }
        }
        guard case .value(30_000) = await program.on(queue).outcome() else {
            Issue.record("The program did not end with the number of its steps.")
            return
        }
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
