import Dispatch
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What becomes of others while a program computes and computes.
@Suite("Pauses", .timeLimit(.minutes(10)))
struct PauseTests {
    typealias Program = EnvIO<Void, any Error, Int>

    struct Again: Error {}

    static func loop(_ number: Int) -> Program {
        Program.pure(number).flatMap { loop($0 &+ 1) }
    }

    /// None of them ever waits.
    static let endless: [(name: String, program: Program)] = [
        ("a loop", loop(0)),
        ("repeat", Program { _ in 1 }.repeat(.forever)),
        ("repeat within a program", Program.pure(0).flatMap { _ in Program { _ in 1 }.repeat(.forever) }),
        ("repeat of nodes", Program.pure(0).flatMap { .pure($0) }.repeat(.forever)),
        ("retry", Program { _ in throw Again() }.retry(.forever)),
        ("retry within a program", Program.pure(0).flatMap { _ in Program { _ in throw Again() }.retry(.forever) }),
        ("retry of an async closure", Program { _ async throws(any Error) in throw Again() }.retry(.forever)),
    ]

    @Test("A program without end lets others go ahead", arguments: endless.indices)
    func others(index: Int) throws {
        let scheduler = VirtualScheduler()
        // One thread, as few as there can be: nobody else runs as long as the loop does not let them.
        let outcome = try scheduler.run {
            await Self.endless[index].program.race(Program { _ async throws(any Error) in 7 }).outcome()
        }
        guard case .value(7) = outcome else {
            Issue.record("\(Self.endless[index].name) ended in \(outcome).")
            return
        }
    }

    @Test("In a region that is not cancelled, and where variables are bound, others go ahead as well")
    func elsewhere() throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        let long = Program.uncancellable { _ in Self.steps(30_000) { _ in } }
        let outcome = try scheduler.run {
            await long.map {
                log.append("long")
                return $0
            }
            .parZip(
                Program { _ async throws(any Error) in
                    log.append("short")
                    return 1
                }
            ).outcome()
        }
        guard case .value((30_000, 1)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(log.lines == ["short", "long"])
    }

    /// So many steps, each of which is looked at.
    static func steps(_ count: Int, from number: Int = 0, _ look: @escaping @Sendable (Int) -> Void) -> Program {
        number == count
            ? .pure(number)
            : Program { _ in
                look(number)
                return number + 1
            }
            .flatMap { steps(count, from: $0, look) }
    }

    @Test("After a pause the run goes on where it was: on the caller's actor")
    @MainActor func isolation() async {
        let outcome = await Self.steps(30_000) { _ in MainActor.assertIsolated() }.outcome()
        guard case .value(30_000) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("After a pause the run goes on where it was: on the queue that it was sent to")
    func queue() async {
        let queue = DispatchQueue(label: "pauses")
        let outcome = await Self.steps(30_000) { _ in dispatchPrecondition(condition: .onQueue(queue)) }.on(queue)
            .outcome()
        guard case .value(30_000) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("Where nothing can wait, nothing pauses")
    func synchronous() throws {
        #expect(try Self.steps(30_000) { _ in }.runSync() == 30_000)
        guard case .finished(.value(30_000)) = Self.steps(30_000, { _ in }).start(()) else {
            Issue.record("It should have ended where it began.")
            return
        }
    }
}
