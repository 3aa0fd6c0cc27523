import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Failures of finalizers", .timeLimit(.minutes(10)))
struct FinalizerFailureTests {
    private typealias Program = EnvIO<Void, Broken, Int>
    /// A program that ends when the use of the part has begun.
    private typealias Begun = EnvIO<Void, Broken, Void>

    /// The ways in which the use of a part ends when it is cancelled.
    private static let uses: [(name: String, end: @Sendable () throws(Broken) -> Int)] = [
        ("succeeds", { () throws(Broken) in 1 }), ("fails", { () throws(Broken) in throw Broken(name: "use") }),
    ]

    /// Programs and calls that ignore the outcome of the part that they receive.
    private static let owners: [(name: String, run: @Sendable (Program, Begun) async -> Void)] = [
        ("race", { part, begun in _ = await part.race(begun.as(0)).outcome() }),
        ("raceResult", { part, begun in _ = await begun.raceResult(part).outcome() }),
        ("timeout", timeOut),
        ("parZip", { part, begun in _ = await part.parZip(failing(after: begun)).outcome() }),
        ("parallel", { part, begun in _ = await parallel(failing(after: begun), part).outcome() }),
        ("parTraverse", { part, begun in _ = await [part, failing(after: begun)].parSequence().outcome() }),
        ("fork", { part, begun in _ = await part.fork().flatMap { begun.followed(by: $0.cancel()) }.outcome() }),
        ("background", { part, begun in _ = await part.background().use { _ in begun }.outcome() }),
        ("memoize", { part, begun in _ = await part.memoize().flatMap { $0.race(begun.as(0)) }.outcome() }),
        ("a task", { part, begun in await cancel(Task { await part.outcome() }, after: begun) }),
        (
            "start",
            { part, begun in
                if case .waiting(let task) = part.start(()) { await cancel(task, after: begun) }
            }
        ),
        ("handleError", { part, begun in _ = await part.handleError { _ in 2 }.race(begun.as(0)).outcome() }),
        ("retry", { part, begun in _ = await part.retry(.recurs(2)).race(begun.as(0)).outcome() }),
        (
            "a finalizer outside",
            { part, begun in
                let guarded = part.guarantee(EnvIO { _ async in await Task.yield() })
                await cancel(Task { await guarded.outcome() }, after: begun)
            }
        ),
    ]

    private static func failing(after begun: Begun) -> Program { begun.followed(by: .fail(Broken(name: "other"))) }

    private static func cancel(_ task: Task<Outcome<Int, Broken>, Never>, after begun: Begun) async {
        _ = await begun.outcome()
        task.cancel()
        let outcome = await task.value
        if outcome != .cancelled, outcome != .failure(Broken(name: "use")) { report("The run ended with \(outcome).") }
    }

    @Sendable
    private static func timeOut(_ part: Program, _ begun: Begun) async {
        let clock = VirtualClock()
        async let end = part.timeout(.seconds(1), clock: clock, otherwise: .pure(0)).outcome()
        _ = await begun.outcome()
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        _ = await end
    }

    /// Returns a program whose use ends as `end` does when it is cancelled, and whose release fails.
    private static func part(_ begun: Deferred<Void>, _ end: @escaping @Sendable () throws(Broken) -> Int) -> Program {
        Resource(acquire: Begun.pure(()), release: { _ in .fail(Broken(name: "release")) }).use {
            Program { _ async throws(Broken) in
                begun.complete(())
                try? await Deferred<Void>().value
                return try end()
            }
        }
    }

    @Test("The failure of a release is reported once, whatever ignores it and however the use ends", .promptly)
    func ignored() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for owner in Self.owners {
                for use in Self.uses {
                    report("\(owner.name), the use \(use.name):")
                    let begun = Deferred<Void>()
                    await owner.run(Self.part(begun, use.end), .value(of: begun))
                }
            }
        }
        let failure =
            "A finalizer's error was ignored, because its program had already failed or been cancelled: "
            + #"Broken(name: "release")"#
        let expected = Self.owners.flatMap { owner in
            Self.uses.flatMap { use in ["\(owner.name), the use \(use.name):", failure] }
        }
        #expect(result?.standardErrorText.split(separator: "\n").map(String.init) == expected)
    }

    @Test("The failure of a release after a successful use is the failure of a run that is not cancelled")
    func notCancelled() async {
        let program = EnvIO<Void, Broken, Int>.bracket(
            acquire: .pure(()), release: { _ in .fail(Broken(name: "release")) }, use: { _ in .pure(1) })
        #expect(await program.outcome() == .failure(Broken(name: "release")))
        #expect(await program.handleError { _ in 2 }.race(.never).outcome() == .value(2))
    }
}
