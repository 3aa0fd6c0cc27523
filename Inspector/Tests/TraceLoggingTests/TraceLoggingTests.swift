import Dispatcher
import FunctionalCore
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing
import TraceLogging

private struct Rejected: Error {}

private let dispatcher = StateDispatcher<Void, Int, Int>.workflow { number in
    [
        .pure(.update { $0 += number }),
        EnvIO { _ in
            if number < 0 { throw Rejected() }
            return .update { $0 *= 2 }
        },
    ]
}

/// Lets a component process two inputs, the second of which fails.
private func run(_ sink: some TraceSink) async {
    let component = Component(initialState: 1, environment: (), trace: Trace(to: sink), dispatcher: dispatcher)
    component.send(2)
    try? await component.settled()
    component.send(-1)
    try? await component.settled()
}

@Suite(.timeLimit(.minutes(10))) struct TraceLoggingTests {
    @Test func eventsBecomeLogLinesWithMetadata() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "trace") { _ in handler }
        logger.logLevel = .debug
        await run(TraceLogger(logger))
        let received = try #require(handler.entries.first { $0.message == "received" })
        #expect(received.level == .debug)
        #expect(received.metadata["message"] == "2")
        #expect(received.metadata["source"] == "caller")
        let change = try #require(handler.entries.first { $0.message == "changed" })
        #expect(change.metadata["cause"] == received.metadata["event"])
        #expect(change.metadata["changes"] == .array([": 1 → 3"]))
        let failure = try #require(handler.entries.first { $0.message == "failed" })
        #expect(failure.level == .error)
        #expect(failure.metadata["error"] == "Rejected()")
        #expect(!handler.entries.contains { $0.message == "handled" })
    }

    @Test func eventsBecomeCountersAndTimers() async throws {
        let metrics = TestMetrics()
        await run(TraceMetrics(factory: metrics))
        let owner = "Component<Int, Int>"
        let counter = { (kind: String) in
            metrics.counterTotal(label: "architecture_events", dimensions: [("owner", owner), ("kind", kind)])
        }
        #expect(counter("received") == 2)
        #expect(counter("started") == 2)
        #expect(counter("failed") == 1)
        let processing = metrics.timers(label: "architecture_processing", dimensions: [("owner", owner)])
        #expect(processing.flatMap(\.values).count == 2)
        let ended = metrics.timers(label: "architecture_work", dimensions: [("owner", owner), ("outcome", "ended")])
        let failed = metrics.timers(label: "architecture_work", dimensions: [("owner", owner), ("outcome", "failed")])
        #expect(ended.flatMap(\.values).count == 1)
        #expect(failed.flatMap(\.values).count == 1)
    }
}
