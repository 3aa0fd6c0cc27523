import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Redaction, snapshots, numbers and causes of a trace, without a component, a loop or a store.
@Suite("Trace", .timeLimit(.minutes(10)))
struct TraceTests {
    private struct Login: Error, Sendable, CustomStringConvertible {
        var name = "ann"
        var password = "secret"

        var description: String { "\(name)/\(password)" }
    }

    private struct Session: Sendable {
        var login = Login()
    }

    private let events = TraceBuffer()
    private let clock = VirtualClock()

    private func tracer(_ change: (Trace) -> Trace = { $0 }) -> Tracer {
        Tracer(change(Trace(to: events, clock: clock)), owner: TraceTests.self)
    }

    /// The texts of all values in the events.
    private var values: [String] {
        events.all.flatMap { event -> [TraceValue] in
            switch event.kind {
            case .created(let state): [state].compactMap(\.self)
            case .received(let value, _), .started(let value, _), .failed(_, let value), .decided(_, let value),
                .dropped(let value, _):
                [value]
            case .recovered(let error, .value(let value)): [error, value].compactMap(\.self)
            case .recovered(let error, .failure(let new)): [error, new]
            case .recovered(let error, _): [error]
            case .changed(let old, let new, _): [old, new].compactMap(\.self)
            case .endlessChain(let values): values
            case .handled, .suspended, .ended, .cancelled, .closed: []
            }
        }.map(\.description)
    }

    /// Records a `Login` in each place where a trace keeps a value.
    private func recordEverywhere(_ tracer: Tracer) {
        let change = tracer.changes(from: Login())
        let state = Login()
        Borrowed.with(state) { change($0, 0) }
        tracer.process(Login(), from: tracer.origin { nil }) {}
        tracer.begin(Login(), .effect).fail(Login())
    }

    // MARK: - Redaction

    @Test("Values are kept as they are")
    func unredacted() {
        recordEverywhere(tracer())
        #expect(values == Array(repeating: "ann/secret", count: 6))
    }

    @Test("Each value of a redacted type is changed before it reaches the sink")
    func redaction() {
        recordEverywhere(tracer { $0.redacting(Login.self) { $0.password = "…" } })
        #expect(values == Array(repeating: "ann/…", count: 6))
    }

    @Test("Two redactions of a type are both applied, in order")
    func twoRedactions() {
        let tracer = tracer {
            $0.redacting(Login.self) { $0.password = "1" }.redacting(Login.self) { $0.password += "2" }
        }
        #expect(tracer.redacted(Login()).description == "ann/12")
    }

    @Test("An omitted value is replaced by the name of its type, whatever is redacted before or after")
    func omission() {
        recordEverywhere(
            tracer {
                $0.redacting(Login.self) { $0.password = "1" }.omitting(Login.self)
                    .redacting(Login.self) { $0.password = "2" }
            })
        #expect(values == Array(repeating: "‹Login omitted›", count: 6))
    }

    @Test("A redaction changes no value of another type, and omits one that contains a redacted value")
    func otherTypes() {
        final class Account: Sendable { let login = Login() }
        let tracer = tracer { $0.redacting(Login.self) { $0.password = "…" } }
        #expect(tracer.redacted("text").value as? String == "text")
        #expect(tracer.redacted(Account()).value is Account)
        #expect(tracer.redacted(Session()).description == "‹Session omitted›")
        let redacting = self.tracer { $0.omitting(Login.self).redacting(Session.self) { $0.login.password = "…" } }
        #expect((redacting.redacted(Session()).value as? Session)?.login.password == "…")
    }

    @Test("A redacted number or text is found in a collection, and other numbers and texts are kept")
    func plainElements() {
        let tracer = tracer { $0.omitting(Login.self).omitting(String.self) }
        #expect(tracer.redacted([1, 2]).value is [Int])
        #expect(tracer.redacted(["a", "b"]).description == "‹Array<String> omitted›")
        #expect(tracer.redacted(Swift.Set(["a"])).description == "‹Set<String> omitted›")
        #expect(tracer.redacted([1: "a"]).description == "‹Dictionary<Int, String> omitted›")
        #expect(tracer.redacted([String]()).value is [String])
    }

    @Test("An object is not looked into, even if it describes parts that form a ring")
    func objects() {
        final class Node: CustomReflectable, @unchecked Sendable {
            var next: Node?
            var customMirror: Mirror { Mirror(self, children: ["next": next as Any]) }
        }
        let (node, tracer) = (Node(), tracer { $0.omitting(Login.self) })
        node.next = node
        defer { node.next = nil }
        #expect(tracer.redacted([node]).value is [Node])
    }

    @Test("A redaction of a protocol, a class or a wrapped type changes all values of it")
    func subtypes() {
        struct Refused: Error {}
        class Account: @unchecked Sendable {}
        final class Admin: Account, @unchecked Sendable {}
        let tracer = tracer {
            $0.redacting(String.self) { $0 = "…" }.omitting((any Error).self).omitting(Account.self)
        }
        #expect(tracer.redacted(Refused()).description == "‹Error omitted›")
        #expect(tracer.redacted(Admin()).description == "‹Account omitted›")
        #expect(tracer.redacted(Optional("secret")).description == "…")
        #expect(tracer.redacted(String?.none).description == "nil")
    }

    @Test("A redaction returns another trace, and leaves the original as it is")
    func valueSemantics() {
        let trace = Trace(to: events)
        _ = trace.omitting(Login.self)
        #expect(Tracer(trace, owner: Self.self).redacted(Login()).description == "ann/secret")
    }

    // MARK: - Snapshots

    @Test("A change contains the states before and after it")
    func snapshots() {
        let change = tracer().changes(from: 1)
        for state in [2, 3] { Borrowed.with(state) { change($0, state) } }
        #expect(events.all.map { "\($0.kind)" }.count == 3)
        #expect(values == ["1", "1", "2", "2", "3"])
        guard case .changed(_, _, let observers)? = events.all.last?.kind else { return #expect(Bool(false)) }
        #expect(observers == 3)
    }

    @Test("Without snapshots, no state is recorded or retained")
    func withoutSnapshots() {
        let tracer = Tracer(Trace(to: events, snapshots: false, clock: clock), owner: Self.self)
        weak var released: Witness?
        let change: (Borrowed<Witness?>, Int) -> Void
        do {
            let state: Witness? = Witness()
            released = state
            change = tracer.changes(from: state)
            Borrowed.with(state) { change($0, 0) }
        }
        #expect(released == nil)
        #expect(values == [])
        #expect(events.all.count == 2)
    }

    // MARK: - Numbers and causes

    @Test("Events have rising numbers, the time of the clock, and the owner")
    func numbers() {
        let trace = Trace(to: events, clock: clock)
        let tracers = [Tracer(trace, owner: Int.self), Tracer(trace, owner: String.self)]
        tracers[0].record(.closed)
        clock.advance(by: .seconds(2))
        tracers[1].record(.closed)
        #expect(events.all.map(\.id) == [1, 2])
        #expect(events.all.map(\.time) == [.zero, .seconds(2)])
        #expect(events.all.map { "\($0.owner)" } == ["Int #1", "String #2"])
        #expect(events.all.map(\.cause) == [nil, nil])
        #expect(events.all.map(\.root) == [1, 2])
    }

    @Test("The numbers of events that threads record at the same time differ")
    func threads() {
        let tracer = tracer()
        onThreads(4) { _ in for _ in 0..<1_000 { tracer.record(.closed) } }
        #expect(events.all.map(\.id) == Array(1...4_000))
    }

    @Test("What happens during a message or a work has it as its cause, and the first message as its root")
    func causes() {
        let tracer = tracer()
        tracer.process("a", from: tracer.origin { nil }) {
            let work: TracedWork? = tracer.begin("b", .action)
            work.run { tracer.process("c", from: tracer.origin { nil }) { tracer.record(.closed) } }
            tracer.record(.closed)
            work?.end()
        }
        tracer.record(.closed)
        // a = 1, b = 2, c = 3, closed = 4, handled c = 5, closed = 6, ended b = 7, handled a = 8, closed = 9.
        #expect(events.all.map(\.cause) == [nil, 1, 2, 3, 3, 1, 2, 1, nil])
        #expect(events.all.map(\.root) == [1, 1, 1, 1, 1, 1, 1, 1, 9])
    }

    @Test("A task and its child tasks have the cause of the code that starts them")
    func tasks() async {
        let tracer = tracer()
        let work: TracedWork? = tracer.begin("a", .action)
        let task = work.run {
            Task {
                tracer.record(.closed)
                await withTaskGroup { group in group.addTask { tracer.record(.closed) } }
            }
        }
        await task.value
        await Task.detached { tracer.record(.closed) }.value
        #expect(events.all.map(\.cause) == [nil, 1, 1, nil])
    }

    @Test("The sender of a message is what the owner knows, else the work, else code outside")
    func senders() {
        let tracer = tracer()
        func sender() -> TraceEvent.Source { tracer.origin { nil }.sender }
        #expect(sender() == .caller)
        #expect(tracer.origin { .observer }.sender == .observer)
        let work: TracedWork? = tracer.begin("a", .subscription)
        #expect(work.run { sender() } == .subscription)
        tracer.process("b", from: tracer.origin { nil }) { #expect(sender() == .elsewhere) }
        work.asCause { #expect(sender() == .elsewhere) }
    }

    @Test("A part of a message is omitted if the trace redacts any type, unless its own type is redacted")
    func parts() {
        func text(_ trace: Trace, _ part: some Sendable, effect: Any.Type? = nil) -> String {
            "\(Tracer(trace, owner: Self.self, effect: effect).part(part))"
        }
        let trace = Trace(to: events)
        #expect(text(trace, 1) == "1")
        let omitting = trace.omitting(Login.self)
        #expect(text(omitting, "secret") == "‹String omitted›")
        #expect(text(omitting, "secret", effect: Login.self) == "‹String omitted›")
        #expect(text(omitting, "effect", effect: String.self) == "effect")
        #expect(text(omitting, Login()) == "\(Login())")
        #expect(text(omitting.redacting(Int.self) { $0 = 0 }, 1) == "1")
        #expect(text(omitting, ()) == "()")
    }

    @Test("A work ends once")
    func ends() {
        let work = tracer().begin("a", .effect)
        work.suspend()
        work.cancel()
        work.end()
        work.fail(Login())
        #expect(events.all.map { "\($0.kind)" }.dropFirst() == ["suspended(work: 1)", "cancelled(work: 1)"])
    }

    // MARK: - Endless chains

    /// Records a chain of messages, each sent by a work that does not run while another message is processed. Returns the
    /// numbers of messages in the reports.
    private func chain(of count: Int, every interval: Duration, in tracer: Tracer) -> [Int] {
        var work: TracedWork?
        for number in 0..<count {
            let origin = work.run { tracer.origin { nil } }
            tracer.process(number, from: origin) { work = tracer.begin(number, .action) }
            clock.advance(by: interval)
        }
        return events.all.compactMap { event in
            if case .endlessChain(let messages) = event.kind { messages.count } else { nil }
        }
    }

    private func growing(_ maximum: Int) -> Tracer {
        Tracer(Trace(to: events, maximumGrowth: maximum, clock: clock), owner: Self.self)
    }

    @Test("A chain that grows by more than the maximum in a second is reported once, with its last messages")
    func endless() {
        #expect(chain(of: 101, every: .zero, in: growing(100)) == [])
        #expect(chain(of: 1_000, every: .zero, in: growing(100)) == [16])
    }

    @Test("The report of an endless chain names the owner, the last messages and the remedies", .promptly)
    func report() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let suite = TraceTests()
                _ = suite.chain(of: 10, every: .zero, in: suite.growing(2))
            })
        #expect(
            result.standardErrorText.contains(
                """
                A chain of messages of TraceTests #1 goes on through tasks, and has grown by more than 2 steps in a \
                second: 1 → 2 → 3. Nothing was dropped. To fix, let a task send only when something has changed, or \
                let it wait. If the chain is intended, raise the maximum growth of the trace.
                """))
    }

    @Test("A chain that grows more slowly is not reported")
    func slow() {
        #expect(chain(of: 10_000, every: .milliseconds(11), in: growing(100)) == [])
    }

    @Test("A chain that begins late, or grows fast after it was slow, is reported")
    func late() {
        clock.advance(by: .seconds(1_000))
        #expect(chain(of: 1_000, every: .milliseconds(1), in: growing(100)) == [16])
    }

    @Test("Messages that follow from one another at once are not counted")
    func synchronous() {
        let tracer = growing(10)
        var origin = tracer.origin { nil }
        for number in 0..<1_000 {
            tracer.process(number, from: origin) {
                let work: TracedWork? = tracer.begin(number, .action)
                origin = work.run { tracer.origin { nil } }
            }
        }
        #expect(!events.all.contains { if case .endlessChain = $0.kind { true } else { false } })
    }

    @Test("An endless chain retains none of its messages but the last ones")
    func retaining() {
        let tracer = Tracer(Trace(clock: clock), owner: Self.self)
        weak var first: Witness?
        var work: TracedWork?
        for number in 0..<50 {
            let message = Witness()
            if number == 0 { first = message }
            let origin = work.run { tracer.origin { nil } }
            tracer.process(message, from: origin) { work = tracer.begin(number, .action) }
        }
        #expect(first == nil)
        withExtendedLifetime(work) {}
    }
}

extension Trace {
    /// A trace that keeps nothing.
    fileprivate init(clock: VirtualClock) {
        struct Nothing: TraceSink {
            func receive(_ event: TraceEvent) {}
        }
        self.init(to: Nothing(), clock: clock)
    }
}
