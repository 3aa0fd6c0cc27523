import ArchitectureEngine
import TestSupport
import Testing

/// Chains of messages in a runtime. The test chooses the sender of each message.
@Suite("Chain guard", .timeLimit(.minutes(10)))
struct ChainGuardTests {
    /// A runtime that calls `respond` for each number. `respond` may send messages as one of several senders.
    final class Bench {
        let runtime: TestRuntime<Int>
        let senders = (0..<100).map { _ in Tracked(Tracked.Counter()) }
        var handled: [Int] = []
        var stops: [ChainStop] = []
        var respond: (Bench, Int) -> Void = { _, _ in }
        var answerReport: (Bench) -> Void = { _ in }

        init(maximumChain: Int) {
            runtime = TestRuntime(state: 0, maximumChain: maximumChain)
            runtime.respond = { [unowned self] _, number in
                handled.append(number)
                respond(self, number)
            }
            runtime.reportStop = { [unowned self] _, stop in
                stops.append(stop)
                answerReport(self)
            }
        }

        func send(_ number: Int) { runtime.send(number) }

        /// Sends a message while another message is being processed.
        func post(_ number: Int, from sender: Int) {
            runtime.core.confined.sender = ObjectIdentifier(senders[sender])
            runtime.send(number)
            runtime.core.confined.sender = nil
        }
    }

    @Test("A sender that answers itself is stopped, and the last sixteen causes are reported")
    func oneAnswer() {
        let bench = Bench(maximumChain: 50)
        bench.respond = { bench, number in bench.post(number + 1, from: 0) }
        bench.send(0)
        // The root, the first answer, and fifty repetitions.
        #expect(bench.handled == Array(0...51))
        #expect(bench.stops.count == 1)
        #expect(bench.stops.first?.causes == (37...52).map { "\($0)" })
        #expect(bench.stops.first?.maximumChain == 50)
        #expect(bench.stops.first?.isCausedByReport == false)
    }

    @Test(
        "Senders that answer each message with two are stopped and reported once per chain",
        arguments: [(0, 103), (1, 114)]
    )
    func twoAnswers(second: Int, handled: Int) {
        let bench = Bench(maximumChain: 100)
        bench.respond = { bench, number in
            bench.post(number + 1, from: 0)
            bench.post(number + 1, from: second)
        }
        bench.send(0)
        #expect(bench.handled.count == handled)
        #expect(bench.stops.count == 1)
        bench.send(0)
        #expect(bench.handled.count == 2 * handled)
        #expect(bench.stops.count == 2)
    }

    typealias Chain = Named<(maximum: Int, handled: [Int], stops: Int, respond: @Sendable (Bench, Int) -> Void)>

    private static let chains: [Chain] = [
        Chain(
            "Two senders that answer each other are stopped",
            (10, Array(0...12), 1, { bench, number in bench.post(number + 1, from: number % 2) })),
        Chain(
            "A single answer of many messages is not counted",
            (
                1, Array(0...20_000), 0,
                { bench, number in
                    if number == 0 { for answer in 1...10_000 { bench.post(answer, from: 0) } }
                    if number == 1 { for answer in 10_001...20_000 { bench.post(answer, from: 1) } }
                }
            )),
        Chain(
            "An endless chain of more senders than the guard remembers is stopped",
            (30, Array(0..<1 + 64 + 30), 1, { bench, number in bench.post(number + 1, from: number % 100) })),
        // The root, its two answers, and two answers to each of these, of which one is counted.
        Chain(
            "If an unknown sender exceeds the limit, its uncounted messages are dropped, too",
            (2, [0, 1, 1, 2, 2, 2, 2], 1, { bench, number in for _ in 0..<2 { bench.send(number + 1) } })),
    ]

    @Test("A chain is stopped when it exceeds the limit", arguments: chains)
    func limit(_ chain: Chain) {
        let bench = Bench(maximumChain: chain.value.maximum)
        bench.respond = chain.value.respond
        bench.send(0)
        #expect(bench.handled == chain.value.handled)
        #expect(bench.stops.count == chain.value.stops)
    }

    @Test("Each message from outside the runtime begins a new chain")
    func manyRoots() {
        let bench = Bench(maximumChain: 3)
        bench.respond = { bench, number in if number < 4 { bench.post(number + 1, from: 0) } }
        for _ in 0..<100 { bench.send(0) }
        #expect(bench.handled.count == 500)
        #expect(bench.stops.isEmpty)
    }

    @Test("isCausedByReport is true if the report of another chain caused the chain")
    func answeringTheReport() {
        let bench = Bench(maximumChain: 5)
        bench.respond = { bench, number in
            bench.post(number + 1, from: 0)
            if bench.stops.count == 1 { bench.respond = { bench, number in bench.post(number, from: 0) } }
        }
        bench.send(0)
        #expect(bench.stops.map(\.isCausedByReport) == [false])
        let other = Bench(maximumChain: 5)
        other.respond = { bench, number in bench.post(number, from: 0) }
        other.answerReport = { bench in if bench.stops.count < 3 { bench.post(1, from: 1) } }
        other.send(0)
        #expect(other.stops.map(\.isCausedByReport) == [false, true, true])
    }

    @Test("A call in turn is neither counted nor dropped")
    func uncounted() {
        let bench = Bench(maximumChain: 0)
        var calls = 0
        func call(_ bench: Bench) {
            calls += 1
            if calls == 100 { return }
            bench.runtime.core.confined.sender = ObjectIdentifier(bench.senders[0])
            bench.runtime.perform { call(bench) }
            bench.runtime.core.confined.sender = nil
        }
        bench.respond = { bench, _ in call(bench) }
        bench.send(0)
        #expect(calls == 100)
        #expect(bench.stops.isEmpty)
    }

    @Test("A runtime does not leak the sender of a chain")
    func memory() {
        let counter = Tracked.Counter()
        do {
            let runtime = TestRuntime(state: 0)
            let sender = Tracked(counter)
            var left = 100
            runtime.respond = { runtime, _ in
                left -= 1
                runtime.core.confined.sender = ObjectIdentifier(sender)
                if left > 0 { runtime.send(left) }
                runtime.core.confined.sender = nil
            }
            runtime.send(0)
            runtime.respond = { _, _ in }
            #expect(left == 0)
        }
        #expect(counter.count == 0)
    }
}
