import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Effect handlers and event sources that fail.
@Suite("Errors of handlers and event sources", .timeLimit(.minutes(10)))
struct ThrowingHandlerTests {
    private struct Broken: Error, CustomStringConvertible {
        let text: String
        var description: String { "broken \(text)" }
    }

    private typealias Route = EffectRoute<String, String, String>
    private typealias Router = EffectRouter<String, String>

    private let scheduler = VirtualScheduler()
    private let errors = Log()

    /// Collects events. An event that begins with "do" is an effect instead.
    private static let update = Update<[String], String, String> { model, event in
        event.hasPrefix("do") ? .dispatchEffects([event]) : .next(model + [event])
    }

    private func builder(
        _ handler: some Connectable<String, String> & Sendable
    ) -> Mobius.Builder<[String], String, String> {
        Mobius.loop(update: Self.update, effectHandler: handler).onError { [errors] error, source in
            errors.append("\(source): \(error)")
        }
    }

    private var route: Route { Router(executor: scheduler.executor).routeEffects(withParameters: { $0 }) }

    /// Sleeps for a second, also if the task is cancelled, and throws.
    private var fail: @Sendable (String) async throws -> Void {
        { [clock = scheduler.clock] text in
            try? await clock.sleep(for: .seconds(1))
            throw Broken(text: text)
        }
    }

    private static func failingSequence(after elements: [String]) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish(throwing: Broken(text: "sequence"))
        }
    }

    enum Way: CaseIterable { case to, toEvent, toEvents, send, switchTo, switchToEvent, switchToEvents, switchSend }

    private func handler(
        _ way: Way, _ fail: @escaping @Sendable (String) async throws -> Void,
        onError: (@Sendable (any Error, String) -> String?)? = nil
    ) -> AnyConnectable<String, String> {
        let event: @Sendable (String) async throws -> String? = { effect in
            try await fail(effect)
            return "no"
        }
        let events: @Sendable (String) async throws -> AsyncStream<String> = { effect in
            try await fail(effect)
            return AsyncStream { $0.finish() }
        }
        let isRoute = way == .toEvents || way == .send
        func described(
            _ handling: @escaping @Sendable (String, (@Sendable (any Error) -> String?)?) -> EffectHandling<String>
        ) -> AnyConnectable<String, String> {
            let handling: @Sendable (String) -> EffectHandling<String> = { effect in
                handling(effect, onError.map { onError in { @Sendable error in onError(error, effect) } })
            }
            return isRoute
                ? AnyConnectable(route.toHandling(handling))
                : AnyConnectable(EffectSwitch(executor: scheduler.executor, handling))
        }
        return switch way {
        case .to: AnyConnectable(route.to({ try await fail($0) }, onError: onError))
        case .toEvent: AnyConnectable(route.toEvent(event, onError: onError))
        case .switchTo: described { effect, onError in .to({ try await fail(effect) }, onError: onError) }
        case .switchToEvent: described { effect, onError in .toEvent({ try await event(effect) }, onError: onError) }
        case .toEvents, .switchToEvents:
            described { effect, onError in .toEvents({ try await events(effect) }, onError: onError) }
        case .send, .switchSend:
            described { effect, onError in .toEvents({ _ in try await fail(effect) }, onError: onError) }
        }
    }

    /// What becomes of an error: an event that `onError` returns, nothing if it returns `nil`, or a report without it.
    enum Reaction: CaseIterable { case event, nothing, report }

    @Test(
        "An error goes to onError, which may return an event, or to the observer, but not after the disposal",
        arguments: Way.allCases, Reaction.allCases)
    func failure(way: Way, reaction: Reaction) throws {
        let calls = Record<String>()
        let onError: @Sendable (any Error, String) -> String? = { error, effect in
            calls.append(effect)
            return reaction == .event ? "failed \(effect): \(error)" : nil
        }
        let handler = handler(way, fail, onError: reaction == .report ? nil : onError)
        let (loop, disposed) = (builder(handler).start(from: []), builder(handler).start(from: []))
        for loop in [loop, disposed] { loop.dispatchEvent("do a") }
        scheduler.drain()
        disposed.dispose()
        scheduler.advance(by: .seconds(1))
        #expect(loop.latestModel == (reaction == .event ? ["failed do a: broken do a"] : []))
        #expect(errors.lines == (reaction == .report ? ["The handler of the effect do a: broken do a"] : []))
        #expect(calls.values == (reaction == .report ? [] : ["do a"]))
        // The effect counts as handled.
        try scheduler.run { try await loop.settled() }
    }

    @Test("The events of a sequence before its failure are sent")
    func failingSequence() {
        let router = route.toHandling { effect in
            .toEvents {
                Self.failingSequence(after: ["a", "b"])
            } onError: { error in
                "failed \(effect): \(error)"
            }
        }
        let loop = builder(router).start(from: [])
        loop.dispatchEvent("do")
        scheduler.drain()
        #expect(loop.latestModel == ["a", "b", "failed do: broken sequence"])
    }

    @Test("The event of onError may cause the same effect again")
    func retrying() {
        let attempts = Record<String>()
        let router = route.toEvent { effect in
            attempts.append(effect)
            if attempts.values.count < 1_000 { throw Broken(text: effect) }
            return "finished"
        } onError: { _, effect in
            effect
        }
        let loop = builder(router).start(from: [])
        loop.dispatchEvent("do")
        scheduler.drain()
        #expect(loop.latestModel == ["finished"])
        #expect(attempts.values.count == 1_000)
    }

    @Test("The loop settles after the observer was called, which may dispatch events")
    func observerThatDispatches() throws {
        let slot = Guarded<MobiusLoop<[String], String, String>?>(nil)
        let loop = Mobius.loop(update: Self.update, effectHandler: route.to(fail))
            .onError { error, _ in slot.value?.dispatchEvent("\(error)") }
            .start(from: [])
        slot.value = loop
        loop.dispatchEvent("do a")
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == ["broken do a"])
        slot.value = nil
    }

    @Test("The router of a route reports to the observer of the loop")
    func nestedRouter() {
        let outer = Router().routeEffects(withParameters: { $0 }).to(route.to(fail))
        let loop = builder(outer).start(from: [])
        loop.dispatchEvent("do a")
        scheduler.advance(by: .seconds(1))
        #expect(errors.lines == ["The handler of the effect do a: broken do a"])
    }

    @Test("A clock that fails is reported with its policy")
    func brokenClock() {
        let router = route.policy(.debounce(for: .seconds(1), clock: BrokenClock(Broken(text: "clock")))).to { _ in }
        let loop = builder(router).start(from: [])
        loop.dispatchEvent("do a")
        scheduler.drain()
        #expect(errors.lines == ["The clock of a policy: broken clock"])
    }

    @Test("Without an observer, an error is written once to standard error", .promptly)
    func unobserved() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scheduler = VirtualScheduler()
            let router = EffectRouter<String, String>(executor: scheduler.executor)
                .routeEffects(withParameters: { $0 }).to { (text: String) async throws in throw Broken(text: text) }
            // A loop that is started by a handler of another one has its own observer, which is none here.
            let outer = AnyConnectable<String, String> { _ in
                let loop = Mobius.loop(update: Self.update, effectHandler: router).start(from: [])
                return Connection(acceptClosure: { loop.dispatchEvent($0) }, disposeClosure: {})
            }
            let loop = Mobius.loop(update: Self.update, effectHandler: outer)
                .onError { _, _ in Issue.record("not the error of this loop") }
                .start(from: [])
            loop.dispatchEvent("do it")
            scheduler.drain()
        }
        #expect(
            result.standardErrorText
                == "The handler of the effect do it failed, and no observer of errors is registered: broken do it\n")
    }

    // MARK: - Several events

    @Test("A closure with send sends events until it returns, and counts as work", arguments: [false, true])
    func send(isSwitch: Bool) throws {
        let sends = Record<Consumer<String>>()
        let clock = scheduler.clock
        let body: @Sendable (String, @escaping Consumer<String>) async throws -> Void = { effect, send in
            sends.append(send)
            send("1")
            try await clock.sleep(for: .seconds(1))
            send("2")
        }
        let handling: @Sendable (String) -> EffectHandling<String> = { effect in
            .toEvents { try await body(effect, $0) }
        }
        let loop =
            isSwitch
            ? builder(EffectSwitch(executor: scheduler.executor, handling)).start(from: [])
            : builder(route.toHandling(handling)).start(from: [])
        loop.dispatchEvent("do")
        scheduler.drain()
        sends.values[0]("extra")
        try scheduler.run { try await loop.settled() }
        sends.values[0]("late")
        #expect(errors.lines == [])
        #expect(loop.latestModel == ["1", "extra", "2"])
    }

    /// A class that passes its effects on to a router. It blocks on its first effect until `goesOn` is signalled.
    private final class Forwarding: Connectable, Sendable {
        let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        private let isFirst = Guarded(true)
        private let router: Router

        init(_ router: Router) {
            self.router = router
        }

        func connect(_ consumer: @escaping Consumer<String>) -> Connection<String> {
            let connection = router.connect(consumer)
            return Connection(
                acceptClosure: { [began, goesOn, isFirst] effect in
                    if isFirst.withLock({ $0 }) {
                        isFirst.withLock { $0 = false }
                        began.signal()
                        goesOn.wait()
                    } else {
                        connection.accept(effect)
                    }
                }, disposeClosure: { connection.dispose() })
        }
    }

    @Test("A router that is connected late reports to its loop, which waits for its work")
    func lateRouter() async throws {
        let target = Forwarding(
            Router().routeEffects(withParameters: { $0 }).to { effect in
                await Task.yield()
                throw Broken(text: effect)
            })
        let handler = Router().routeEffects(withParameters: { $0 }).on(queue: DispatchQueue(label: "route")).to(target)
        let earlier = builder(handler).start(from: [])
        earlier.dispatchEvent("do a")
        target.began.wait()
        earlier.dispose()
        let late = builder(handler).start(from: [])
        late.dispatchEvent("do b")
        target.goesOn.signal()
        try await late.settled()
        #expect(errors.lines == ["The handler of the effect do b: broken do b"])
    }

    // MARK: - Event sources

    @Test(
        "The error of an event source goes to onError or to the observer, after its events", arguments: [true, false])
    func source(hasOnError: Bool) {
        let onError: (@Sendable (any Error) -> String?)? = if hasOnError { { "\($0)" } } else { nil }
        let loop = builder(Router()).withEventSource({ Self.failingSequence(after: ["a"]) }, onError: onError)
            .withExecutor(scheduler.executor).start(from: [])
        scheduler.drain()
        loop.dispatchEvent("b")
        #expect(loop.latestModel == (hasOnError ? ["a", "broken sequence", "b"] : ["a", "b"]))
        #expect(errors.lines == (hasOnError ? [] : ["The event source: broken sequence"]))
        loop.dispose()
    }

    /// A sequence that ignores cancellation, and fails when `gate` is open.
    private struct Late: AsyncSequence, Sendable {
        let gate: Gate
        let released: Gate

        struct AsyncIterator: AsyncIteratorProtocol {
            let gate: Gate
            let end: Witness

            func next() async throws -> String? {
                await gate.pass()
                throw Broken(text: "late")
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(gate: gate, end: Witness { [released] in Task { await released.open() } })
        }
    }

    @Test("The error of an event source after the disposal is not reported")
    func disposedSource() async {
        let (gate, released, begun) = (Gate(), Gate(), [Gate(), Gate()])
        let errors = errors
        let loops = [
            builder(Router()).withEventSource {
                Task { await begun[0].open() }
                return Late(gate: gate, released: Gate())
            },
            builder(Router()).withEventSource {
                Task { await begun[1].open() }
                return Late(gate: gate, released: released)
            } onError: { error in
                errors.append("onError \(error)")
                return nil
            },
        ].map { $0.start(from: []) }
        for gate in begun { await gate.pass() }
        for loop in loops { loop.dispose() }
        await gate.open()
        await released.pass()
        #expect(errors.lines == [])
    }
}
