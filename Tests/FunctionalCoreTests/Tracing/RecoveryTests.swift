import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What a trace records of failures that a program handles.
@Suite("Trace: recoveries", .timeLimit(.minutes(10)))
struct RecoveryTests {
    private typealias Program<Failure: Error> = EnvIO<Void, Failure, Int>

    private let events = TraceBuffer()

    /// Runs a program as a work of an owner, and returns the lines of the events that it records.
    ///
    /// - Parameter begun: If the program has written this, it is cancelled.
    private func lines<Failure: Error>(
        of program: Program<Failure>, _ change: (Trace) -> Trace = { $0 }, cancelledAfter begun: Deferred<Void>? = nil
    ) async -> [String] {
        events.removeAll()
        let work: TracedWork? = Tracer(change(Trace(to: events)), owner: RecoveryTests.self).begin("work", .action)
        await work.runAsync {
            let task = Task { await program.outcome() }
            if let begun {
                try? await begun.value
                task.cancel()
            }
            _ = await task.value
        }
        #expect(events.all.dropFirst().allSatisfy { $0.cause == 1 && $0.owner == events.all.first?.owner })
        return Array(events.kinds.dropFirst())
    }

    /// Programs that fail with `failure`, one for each form in which an operator finds a program.
    private static func failing<Failure: Error>(with failure: Failure) -> [Program<Failure>] {
        [
            .fail(failure), Program { () throws(Failure) in throw failure },
            Program { () async throws(Failure) in throw failure },
            Program.pure(1).flatMap { _ in .fail(failure) },
            (0..<100).reduce(Program { () throws(Failure) in throw failure }) { program, _ in program.map { $0 + 1 } },
        ]
    }

    /// What operators make of a failure, and the text of what a trace records of it.
    private static func operators<Failure: Error>(
        _ failure: Failure
    ) -> [(recovery: String?, apply: (Program<Failure>) -> Program<Failure>)] {
        let sleeping = Program<Failure> { () async in 2 }
        return [
            ("a value", { $0.handleError { _ in 2 } }),
            ("a value", { $0.attempt().map { _ in 2 }.setFailureType() }),
            ("a value", { $0.handleErrorWith { _ in .pure(2) } }),
            ("the failure \(failure)", { $0.mapError { $0 } }),
            ("the failure \(failure)", { $0.bimap({ $0 }, { $0 }) }),
            ("the failure \(failure)", { $0.handleErrorWith { .fail($0) } }),
            ("a fallback", { $0.handleErrorWith { _ in sleeping } }), ("a fallback", { $0.orElse(sleeping) }),
            ("a fallback", { $0.retry(.recurs(0), orElse: { _ in sleeping }) }),
            ("another attempt", { $0.retry(.recurs(1)) }),
            (nil, { $0.tapError { _ in } }), (nil, { $0.ensure({ _ in true }, otherwise: { _ in failure }) }),
            (nil, { $0.retry(.recurs(0)) }), (nil, { $0.repeat(.recurs(1)) }), (nil, { $0 }),
        ]
    }

    @Test("What an operator makes of a failure is recorded once, with the work as the cause")
    func operators() async {
        func check<Failure: Error>(_ failure: Failure) async {
            for (number, row) in Self.operators(failure).enumerated() {
                let expected = row.recovery.map { ["recovered from \(failure) with \($0)"] } ?? []
                for (form, program) in Self.failing(with: failure).enumerated() {
                    #expect(await lines(of: row.apply(program)) == expected, "operator \(number), program \(form)")
                }
                #expect(await lines(of: row.apply(.pure(1))) == [])
                #expect(await lines(of: row.apply(Program { 1 })) == [])
            }
        }
        await check(Broken(name: "typed"))
        await check(Broken(name: "any") as any Error)
    }

    @Test("Each delay of a retry is recorded, and a resource records the failure that it makes of another")
    func delays() async throws {
        let clock = VirtualClock()
        let program = Program<Broken>.fail(Broken(name: "a"))
            .retry(.spaced(.seconds(2)) && .recurs(2), clock: clock)
        let task = Task { await lines(of: program) }
        for _ in 0..<2 {
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: .seconds(2))
        }
        let line = #"recovered from Broken(name: "a") with another attempt after 2.0 seconds"#
        #expect(await task.value == [line, line])
        let resource = Resource<Void, Broken, Int>(.fail(Broken(name: "a"))).mapError { _ in Broken(name: "b") }
        #expect(
            await lines(of: resource.use { .pure($0) })
                == [#"recovered from Broken(name: "a") with the failure Broken(name: "b")"#])
    }

    @Test("A failure of a cancelled run that ends as cancelled is no recovery")
    func cancelled() async {
        func waiting(_ begun: Deferred<Void>, throwing error: any Error) -> Program<any Error> {
            Program { () async throws in
                begun.complete(())
                try? await Deferred<Void>().value
                throw error
            }
        }
        let synchronous = Program<any Error> { () throws in
            withUnsafeCurrentTask { $0?.cancel() }
            throw Broken(name: "a")
        }
        for row in Self.operators(Broken(name: "other") as any Error) {
            let begun = Deferred<Void>()
            let program = row.apply(waiting(begun, throwing: CancellationError()))
            #expect(await lines(of: program, cancelledAfter: begun) == [])
        }
        for schedule in [.recurs(2), .spaced(.seconds(1)) && .recurs(2)] as [Schedule<any Error>] {
            let begun = Deferred<Void>()
            let deaf = waiting(begun, throwing: Broken(name: "a"))
            #expect(await lines(of: deaf.retry(schedule), cancelledAfter: begun) == [])
            #expect(await lines(of: synchronous.retry(schedule)) == [])
        }
        // The region protects from cancellation, so the failure is handled.
        #expect(
            await lines(of: synchronous.retry(.recurs(1)).uncancellable())
                == [#"recovered from Broken(name: "a") with another attempt"#])
    }

    @Test("The redactions of the trace apply to the failure, and to what it has become")
    func redaction() async {
        let failing = Program<Broken>.fail(Broken(name: "secret"))
        let line = #"recovered from Broken(name: "…") with the failure Broken(name: "…")"#
        #expect(
            await lines(of: failing.mapError { $0 }, { $0.redacting(Broken.self) { $0 = Broken(name: "…") } }) == [line]
        )
        events.removeAll()
        let work: TracedWork? = Tracer(Trace(to: events).omitting(Broken.self), owner: Int.self).begin("work", .action)
        let value = work.run {
            Tracer.recovered(from: Broken(name: "secret"), to: "secret") { .value(TraceValue($0)) }
        }
        work?.end()
        #expect(value == "secret")
        #expect(events.kinds.dropFirst().first == "recovered from ‹Broken omitted› with the value ‹String omitted›")
    }

    @Test("Without a cause that has an owner, nothing is recorded, and the recovery is not described")
    func withoutACause() {
        func recover() -> Int {
            Tracer.recovered(from: Broken(name: "a"), to: 2) { _ in
                Issue.record("The recovery was described.")
                return nil
            }
        }
        #expect(recover() == 2)
        #expect(TraceCause.with(Trace(to: events).outsideCause(), recover) == 2)
        #expect(events.all.isEmpty)
    }
}
