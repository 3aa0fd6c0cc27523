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

    static let lookers = [
        Named("a closure", looking),
        Named(
            "a closure that waits",
            Program { _ in
                await Task.yield()
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
                return 1
            }
        ),
        Named("a closure in a node", Program.pure(0).flatMap { _ in looking }),
        Named("a closure with others around it", looking.map { $0 + 1 }.contramap { $0 }),
    ]

    /// Operations that could handle the error. Their closures log each call.
    static let handlers: [Named<@Sendable (Program, Log) -> Program>] = [
        Named("nothing", { program, _ in program }),
        Named("map", { program, log in program.map { log.handled($0) } }),
        Named("flatMap", { program, log in program.flatMap { .pure(log.handled($0)) } }),
        Named("handleErrorWith", { program, log in program.handleErrorWith { _ in .pure(log.handled(0)) } }),
        Named("handleError", { program, log in program.handleError { _ in log.handled(0) } }),
        Named("mapError", { program, log in program.mapError { log.handled($0) } }),
        Named("attempt", { program, log in program.attempt().map { log.handled($0) }.rethrow() }),
        Named("retry", { program, log in program.retry(.recurs(3).whileInput { _ in log.handled(true) }) }),
        Named("retry of a retry", { program, _ in program.retry(.recurs(3)).retry(.recurs(3)) }),
        Named("retry(orElse:)", { program, log in program.retry(.recurs(0)) { _ in .pure(log.handled(0)) } }),
        Named("repeat", { program, log in program.repeat(.recurs(3).whileInput { _ in log.handled(true) }) }),
        Named("parZip", { program, log in program.parZip(.pure(1)).map { log.handled($0.0) } }),
    ]

    /// Returns how the run of `program` ends in a task of its own.
    private func end<Failure>(of program: EnvIO<Void, Failure, Int>) async -> String {
        await Task { await program.outcome().word }.value
    }

    @Test(
        "ER11. Handlers do not receive a CancellationError thrown in a cancelled run", arguments: lookers, handlers)
    func unhandled(looker: Named<Program>, handler: Named<@Sendable (Program, Log) -> Program>) async {
        let log = Log()
        #expect(await end(of: handler.value(looker.value, log)) == "cancelled")
        #expect(log.lines == [])
    }

    @Test("CA6. Finalizers run if a closure throws a CancellationError in a cancelled run", arguments: lookers)
    func finalizers(looker: Named<Program>) async {
        let log = Log()
        let write = { @Sendable (line: String) in EnvIO<Void, any Error, Void> { _ in log.append(line) } }
        let program = Program.bracketCase(
            acquire: EnvIO<Void, any Error, Void>.pure(()), release: { _, end in write("released as \(end.word)") },
            use: { looker.value.onCancel(write("cancelled")) })
        #expect(await end(of: program) == "cancelled")
        #expect(log.lines == ["cancelled", "released as cancelled"])
    }

    @Test("A CancellationError in a run that is not cancelled is a failure", arguments: handlers)
    func failures(handler: Named<@Sendable (Program, Log) -> Program>) async {
        let failing = Program { _ in throw CancellationError() }
        let waiting = Program { _ in
            await Task.yield()
            throw CancellationError()
        }
        for program in [failing, waiting] {
            let isHandled = ["handleErrorWith", "handleError", "retry(orElse:)"].contains(handler.name)
            #expect(await end(of: handler.value(program, Log())) == (isHandled ? "0" : "CancellationError()"))
        }
        #expect(throws: CancellationError.self) { try failing.runSync() }
    }

    @Test("A CancellationError in an uncancellable region is a failure")
    func regions() async {
        #expect(await end(of: Self.looking.handleError { _ in 7 }.uncancellable().onCancel(.pure(()))) == "7")
    }

    @Test("A typed error in a cancelled run is a failure that handlers receive")
    func others() async {
        let program = EnvIO<Void, Broken, Int> { _ throws(Broken) in
            withUnsafeCurrentTask { $0?.cancel() }
            throw Broken()
        }
        #expect(await end(of: program.handleError { _ in 7 }) == "7")
    }
}

extension Log {
    fileprivate func handled<Result>(_ value: Result) -> Result {
        append("handled")
        return value
    }
}
