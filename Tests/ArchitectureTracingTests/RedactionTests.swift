import ArchitectureTracing
import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// What a redacted type hides in files of traces and on standard error.
@Suite("Redaction", .timeLimit(.minutes(10)))
struct RedactionTests {
    private static let word = "PASSWORD"

    private struct Secret: Action, Error, Hashable, CustomStringConvertible {
        var text = RedactionTests.word
        var description: String { text }
    }

    /// A value of any type, as a value that can be compared.
    private struct Erased: Hashable, Sendable {
        let value: any Sendable
        static func == (left: Erased, right: Erased) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private struct Failure: Error, Hashable {
        let cause: any Error
        static func == (left: Failure, right: Failure) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// A sequence of numbers that also has a secret.
    private struct Session: Sequence, Hashable, Sendable {
        var secret = Secret()
        func makeIterator() -> IndexingIterator<[Int]> { [1, 2].makeIterator() }
    }

    /// An action that an effect makes of another one.
    private struct Query: Action {
        let text: String
    }

    /// A message, a state, an error or an id that contains a secret.
    private indirect enum Value: Error, Hashable, Action {
        case secret(Secret)
        case labelled(number: Int, of: Secret)
        case optional(Value?)
        case list([Value])
        case set(Set<Value>)
        case table([Int: Value])
        case keys([Value: String])
        case pair(Int, Value)
        /// A part between collections that have no parts other than their elements.
        case among([Int], Value, Set<String>)
        case erased(Erased)
        case failure(Failure)
        case session(Session)

        static func random(depth: Int, _ random: inout SeededGenerator) -> Value {
            if depth == 0 {
                return Bool.random(using: &random) ? .secret(Secret()) : .labelled(number: 1, of: Secret())
            }
            let part = Value.random(depth: depth - 1, &random)
            return switch Int.random(in: 0..<10, using: &random) {
            case 0: .optional(part)
            case 1: .list([part])
            case 2: .set([part])
            case 3: .table([1: part])
            case 4: .keys([part: "key"])
            case 5: .pair(1, part)
            case 6: .erased(Erased(value: part))
            case 7: .erased(Erased(value: [Optional(part)]))
            case 8: .among([1, 2], part, ["text"])
            default: .failure(Failure(cause: part))
            }
        }
    }

    private enum Effect<Message: Sendable>: Sendable {
        case whole(Message)
        case part(Message)
        case text(Message)
        case plain(String)
        case nested(Message)
        case connected(Message)
    }

    /// Runs a component, a loop and a store, with a trace, for messages that contain a secret in their state, their ids
    /// and their errors. The errors have no observer, so they are written to standard error.
    private static func run<Message: Action & Error & Hashable>(_ value: Message, _ trace: Trace) {
        let scheduler = VirtualScheduler()

        let dispatcher = StateDispatcher<Void, Message, Message>.workflow { input in
            [EnvIO { _ in .set(input) }, EnvIO { _ in throw input }]
        }.policy(.latest)
        let component = Component(
            initialState: value, environment: (), executor: scheduler.executor, trace: trace, dispatcher: dispatcher,
            subscriptions: { _ in [.run(id: value) { _, _ in throw value }] })
        component.send(value)
        scheduler.drain()

        let endless = Component(
            initialState: value, environment: (), maximumChain: 2, trace: trace,
            dispatcher: StateDispatcher<Void, Message, Message>.pure { .set($0) })
        endless.observe { [weak endless] value in endless?.send(value) }
        endless.send(value)

        @Sendable func text(_ value: Message) -> String { "\(value)" }
        let inner = EffectRouter<String, Message> { router in
            router.routeEffects(withParameters: { $0 }).to { _ in throw value }
        }
        let router = EffectRouter<Effect<Message>, Message> { router in
            router.routeEffects(withParameters: { if case .whole = $0 { $0 } else { nil } }).to { _ in throw value }
            router.routeEffects(withParameters: { if case .part(let value) = $0 { value } else { nil } })
                .policy(.latest).toEvent { value in throw value }
            router.routeEffects(withParameters: { if case .text(let value) = $0 { text(value) } else { nil } })
                .policy(.queued).to { text in throw value }
            router.routeEffects(withParameters: { if case .plain(let text) = $0 { Secret(text: text) } else { nil } })
                .policy(.queued).to { secret in throw value }
            router.routeEffects(withParameters: { if case .nested(let value) = $0 { text(value) } else { nil } }).to(
                inner)
            router.routeEffects(withParameters: { if case .connected(let value) = $0 { text(value) } else { nil } })
                .to(AnyConnectable { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) })
        }
        let update = Update<Message, Message, Effect<Message>> { _, event in
            .next(
                event,
                effects: [
                    .whole(event), .part(event), .text(event), .plain(text(event)), .nested(event), .connected(event),
                ])
        }
        let loop = Mobius.loop(update: update, effectHandler: router).withTrace(trace)
            .withExecutor(scheduler.executor).withMaximumChain(2).start(from: value)
        loop.dispatchEvent(value)
        scheduler.drain()
        loop.addObserver { [unowned loop] model in loop.dispatchEvent(model) }
        loop.dispatchEvent(value)
        loop.dispose()
        // A job that never runs is never freed.
        scheduler.drain()

        let store = Store(
            reducer: { state, action in if let value = action as? Message { state = value } }, initialState: value,
            effects: [
                Effects.Effect { actions in
                    actions.ofType(Message.self).map { Query(text: text($0)) }.flatMap(.latest) { _ in
                        ActionStream<Message>.fail(value)
                    }
                    .eraseActionType()
                }
            ], trace: trace)
        store.dispatch(action: value)
    }

    @Test(
        "A secret at any depth of a message, a state, an id or an error reaches no file and no line of standard error")
    func secretsStayInside() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var random = SeededGenerator(seed: 1)
            for number in 0..<1_000 {
                let value = Value.random(depth: number % 6, &random)
                let events = TraceBuffer()
                let trace =
                    number.isMultiple(of: 2)
                    ? Trace(to: events).omitting(Secret.self)
                    : Trace(to: events).redacting(Secret.self) { $0.text = "…" }
                if number % 10 < 2 { Self.run(Secret(), trace) } else { Self.run(value, trace) }
                // A file of a trace, and of Chrome's trace viewer, is made from these lines.
                let texts = [
                    String(decoding: JSONLines(events.all).data, as: UTF8.self),
                    events.all.map { "\($0)" }.joined(separator: "\n"),
                ]
                for text in texts where text.contains(Self.word) {
                    let line = text.split(separator: "\n").first { $0.contains(Self.word) } ?? ""
                    fatalError("Case \(number): \(line.replacing(Self.word, with: "the secret"))")
                }
                try #require(events.all.count > 50)
            }
        }
        let text = result.standardErrorText
        #expect(!text.contains(Self.word), "\(text.split(separator: "\n").first { $0.contains(Self.word) } ?? "")")
        for report in [
            "An action for the input", "The subscription", "answers its own messages", "The handler of",
            "The effect of",
        ] {
            #expect(text.split(separator: "\n").count { $0.contains(report) } >= 1_000, "\(report)")
        }
    }
}
