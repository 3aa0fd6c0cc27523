import FunctionalCore
import TestSupport
import Testing

/// Closures that check for cancellation themselves and throw.
@Suite("Laws: thrown cancellation errors", .timeLimit(.minutes(10)))
struct ThrownCancellationTests {
    typealias Program = EnvIO<Void, any Error, Int>

    /// Cancels its own task, and then checks for cancellation.
    static let looking = Program { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
        return 1
    }

    static let lookers: [(name: String, program: Program)] = [
        ("a closure", looking),
        (
            "a closure that waits",
            Program { _ in
                await Task.yield()
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
                return 1
            }
        ),
        ("a closure in a node", Program.pure(0).flatMap { _ in looking }),
        ("a closure with others around it", looking.map { $0 + 1 }.contramap { $0 }),
    ]

    /// Operations that could handle the error. Their closures log each call.
    static let handlers: [(name: String, handled: @Sendable (Program, Log) -> Program)] = [
        ("nothing", { program, _ in program }),
        ("map", { program, log in program.map { log.handled($0) } }),
        ("flatMap", { program, log in program.flatMap { .pure(log.handled($0)) } }),
        ("handleErrorWith", { program, log in program.handleErrorWith { _ in .pure(log.handled(0)) } }),
        ("handleError", { program, log in program.handleError { _ in log.handled(0) } }),
        ("mapError", { program, log in program.mapError { log.handled($0) } }),
        ("attempt", { program, log in program.attempt().map { log.handled($0) }.rethrow() }),
        ("retry", { program, log in program.retry(.recurs(3).whileInput { _ in log.handled(true) }) }),
        ("retry of a retry", { program, _ in program.retry(.recurs(3)).retry(.recurs(3)) }),
        ("retry(orElse:)", { program, log in program.retry(.recurs(0)) { _ in .pure(log.handled(0)) } }),
        ("repeat", { program, log in program.repeat(.recurs(3).whileInput { _ in log.handled(true) }) }),
        ("parZip", { program, log in program.parZip(.pure(1)).map { log.handled($0.0) } }),
    ]

    @Test(
        "ER11. Handlers do not receive a CancellationError thrown in a cancelled run",
        arguments: lookers.indices, handlers.indices)
    func unhandled(looker: Int, handler: Int) async {
        let log = Log()
        let handled = Self.handlers[handler].handled(Self.lookers[looker].program, log)
        let end = await Task { await handled.outcome() }.value
        #expect(isCancelled(end), "\(Self.lookers[looker].name), \(Self.handlers[handler].name)")
        #expect(log.lines == [])
    }

    @Test("CA6. Finalizers run if a closure throws a CancellationError in a cancelled run", arguments: lookers.indices)
    func finalizers(looker: Int) async {
        let log = Log()
        let write = { @Sendable (line: String) in EnvIO<Void, any Error, Void> { _ in log.append(line) } }
        let program = Program.bracketCase(
            acquire: EnvIO<Void, any Error, Void>.pure(()),
            release: { _, end in write(isCancelled(end) ? "released as cancelled" : "released as \(end)") },
            use: { Self.lookers[looker].program.onCancel(write("cancelled")) })
        let end = await Task { await program.outcome() }.value
        #expect(isCancelled(end))
        #expect(log.lines == ["cancelled", "released as cancelled"])
    }

    @Test("A CancellationError in a run that is not cancelled is a failure", arguments: handlers.indices)
    func failures(handler: Int) async {
        let failing = Program { _ in throw CancellationError() }
        let waiting = Program { _ in
            await Task.yield()
            throw CancellationError()
        }
        for program in [failing, waiting] {
            let end = await Self.handlers[handler].handled(program, Log()).outcome()
            #expect(!isCancelled(end), "\(Self.handlers[handler].name)")
        }
        #expect(throws: CancellationError.self) { try failing.runSync() }
    }

    @Test("A CancellationError in an uncancellable region is a failure")
    func regions() async {
        let program = Self.looking.handleError { _ in 7 }.uncancellable().onCancel(.pure(()))
        guard case .value(7) = await Task(operation: { await program.outcome() }).value else {
            Issue.record("The region did not end with the value of the handler.")
            return
        }
    }

    @Test("A typed error in a cancelled run is a failure that handlers receive")
    func others() async {
        struct Broken: Error {}
        let program = EnvIO<Void, Broken, Int> { _ throws(Broken) in
            withUnsafeCurrentTask { $0?.cancel() }
            throw Broken()
        }
        guard case .value(7) = await Task(operation: { await program.handleError { _ in 7 }.outcome() }).value else {
            Issue.record("The program did not end with the value of the handler.")
            return
        }
    }
}

private func isCancelled<Value, Failure>(_ outcome: Outcome<Value, Failure>) -> Bool {
    if case .cancelled = outcome { true } else { false }
}

extension Log {
    fileprivate func handled<Result>(_ value: Result) -> Result {
        append("handled")
        return value
    }
}
