import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Handlers with callbacks and `async` handlers on the main actor.
@MainActor
@Suite("Handlers on the main actor", .timeLimit(.minutes(10)))
struct MainActorHandlerTests {
    private struct Broken: Error {}

    private let events = Record<String>()
    private let log = Log()
    private let callbacks = Record<EffectCallback<String>>()

    private func connect(
        on executor: (any TaskExecutor)? = nil,
        _ makeRouter: (EffectRoute<String, String, String>) -> EffectRouter<String, String>
    ) -> Connection<String> {
        makeRouter(EffectRouter(executor: executor).routeEffects(withParameters: { $0 }))
            .connect { [events] in events.append($0) }
    }

    /// A handler that keeps its callback and logs its disposal.
    private struct Keeper: EffectHandler {
        let log: Log
        let callbacks: Record<EffectCallback<String>>

        func handle(_ text: String, _ callback: EffectCallback<String>) -> any Disposable {
            MainActor.preconditionIsolated()
            log.append("handled \(text)")
            callbacks.append(callback)
            return AnonymousDisposable { [log] in log.append("disposed \(text)") }
        }
    }

    enum Way: CaseIterable {
        case plain, event, closure

        var hasCallback: Bool { self == .closure }
    }

    private func keep(_ way: Way, policy: Bool = false) -> Connection<String> {
        let keeper = Keeper(log: log, callbacks: callbacks)
        return connect { [log] route in
            let route = (policy ? route.policy(.latest) : route).onMainActor
            return switch way {
            case .plain:
                route.to { text in
                    MainActor.preconditionIsolated()
                    log.append("handled \(text)")
                }
            case .event:
                route.toEvent { text in
                    MainActor.preconditionIsolated()
                    log.append("handled \(text)")
                    return text == "a" ? "1" : nil
                }
            case .closure: route.to { keeper.handle($0, $1) }
            }
        }
    }

    @Test("On the main thread, a handler is called synchronously", arguments: Way.allCases)
    func here(_ way: Way) {
        let connection = keep(way)
        connection.accept("a")
        #expect(log.lines == ["handled a"])
        if way.hasCallback {
            callbacks.values[0].send("1")
            callbacks.values[0].end(with: "2")
        }
        connection.accept("b")
        connection.dispose()
        #expect(events.values == (way == .plain ? [] : way == .event ? ["1"] : ["1", "2"]))
        // The first effect has ended.
        #expect(log.lines == ["handled a", "handled b"] + (way.hasCallback ? ["disposed b"] : []))
    }

    @Test("From another thread, a handler is called on the main actor, in order", arguments: Way.allCases)
    func elsewhere(_ way: Way) async {
        let connection = keep(way)
        onThreads(1) { _ in for text in ["a", "b"] { connection.accept(text) } }
        // Enqueued behind the others, although it is accepted on the main actor.
        connection.accept("c")
        #expect(log.lines == [])
        await yield { log.lines.count == 3 }
        connection.dispose()
        let texts = ["a", "b", "c"]
        #expect(log.lines == texts.map { "handled \($0)" } + (way.hasCallback ? texts.map { "disposed \($0)" } : []))
    }

    @Test(
        "An effect is not handled if its connection is disposed before it starts on the main actor",
        arguments: Way.allCases)
    func disposedBefore(_ way: Way) async {
        let connection = keep(way)
        onThreads(1) { _ in connection.accept("a") }
        connection.dispose()
        await Task { @MainActor in }.value
        #expect(log.lines == [])
    }

    @Test("A policy replaces an effect that is handled on the main actor")
    func replaced() {
        let connection = keep(.closure, policy: true)
        for text in ["a", "b"] { connection.accept(text) }
        callbacks.values[0].send("old")
        callbacks.values[1].send("new")
        connection.dispose()
        #expect(log.lines == ["handled a", "disposed a", "handled b", "disposed b"])
        #expect(events.values == ["new"])
    }

    @Test("Each callback keeps a loop from settling until it ends")
    func settling() async throws {
        let callbacks = callbacks
        let router = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
            .onMainActor.to { [log] in Keeper(log: log, callbacks: callbacks).handle($0, $1) }
        let loop = Mobius.loop(
            update: { (model: [String], event: String) -> Next<[String], String> in
                event == "go" ? .dispatchEffects(["a"]) : .next(model + [event])
            }, effectHandler: router
        ).start(from: [])
        onThreads(1) { _ in loop.dispatchEvent("go") }
        let end = Task {
            await yield { callbacks.values.count == 1 }
            callbacks.values[0].end(with: "end")
        }
        try await loop.settled()
        #expect(loop.latestModel == ["end"])
        await end.value
    }

    enum AsyncWay: CaseIterable { case to, toEvent }

    private func asynchronous(_ way: AsyncWay, on executor: (any TaskExecutor)? = nil) -> Connection<String> {
        let log = log
        return connect(on: executor) { route in
            switch way {
            case .to:
                route.onMainActor.to { text in
                    MainActor.assertIsolated()
                    log.append(text)
                    await Task.yield()
                    throw Broken()
                } onError: { _, text in
                    "failed \(text)"
                }
            case .toEvent:
                route.onMainActor.toEvent { text in
                    MainActor.assertIsolated()
                    log.append(text)
                    await Task.yield()
                    if text == "a" { throw Broken() }
                    return text
                } onError: { _, text in
                    "failed \(text)"
                }
            }
        }
    }

    @Test("An async handler runs on the main actor, and its error becomes an event", arguments: AsyncWay.allCases)
    func asyncHandlers(_ way: AsyncWay) async {
        let connection = asynchronous(way)
        onThreads(1) { _ in connection.accept("a") }
        await yield { events.values.contains("failed a") }
        #expect(log.lines == ["a"])
        #expect(events.values == ["failed a"])
        if way == .toEvent {
            connection.accept("b")
            await yield { events.values.contains("b") }
        }
        connection.dispose()
    }

    @Test("An async handler is not called if its connection is disposed before it starts", arguments: AsyncWay.allCases)
    func asyncIsDisposedBefore(_ way: AsyncWay) async {
        let scheduler = VirtualScheduler()
        let connection = asynchronous(way, on: scheduler.executor)
        connection.accept("a")
        // The task now waits for the main actor, which this test occupies.
        scheduler.drain()
        connection.dispose()
        await Task { @MainActor in }.value
        scheduler.drain()
        #expect(log.lines == [])
        #expect(events.values == [])
    }

    @Test("The disposal cancels an async handler on the main actor")
    func asyncIsCancelled() async {
        let (began, ended) = (Gate(), Gate())
        let connection = connect {
            $0.onMainActor.toEvent { text in
                await began.open()
                while !Task.isCancelled { await Task.yield() }
                await ended.open()
                return text
            }
        }
        connection.accept("a")
        await began.pass()
        connection.dispose()
        await ended.pass()
        #expect(events.values == [])
    }
}
