import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// `async` handlers on the main actor, and synchronous handlers on the main thread.
@MainActor
@Suite("Handlers on the main actor", .timeLimit(.minutes(10)))
struct MainActorHandlerTests {
    private struct Broken: Error {}

    private let events = Record<String>()
    private let log = Log()

    private func connect(
        _ makeRouter: (EffectRoute<String, String, String>) -> EffectRouter<String, String>
    ) -> Connection<String> {
        makeRouter(EffectRouter().routeEffects(withParameters: { $0 })).connect { [events] in events.append($0) }
    }

    enum Way: CaseIterable { case to, toEvent }

    private func asynchronous(_ way: Way) -> Connection<String> {
        let log = log
        return connect { route in
            switch way {
            case .to:
                route.to { @MainActor text in
                    MainActor.assertIsolated()
                    log.append(text)
                    await Task.yield()
                    throw Broken()
                } onError: { _, text in
                    "failed \(text)"
                }
            case .toEvent:
                route.toEvent { @MainActor text in
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

    @Test("An async handler runs on the main actor, and its error becomes an event", arguments: Way.allCases)
    func asyncHandlers(_ way: Way) async {
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

    @Test("A handler on the main queue may assume the isolation of the main actor, and runs in order")
    func onMainQueue() async {
        let connection = connect {
            $0.on(queue: .main).toEvent { text in MainActor.assumeIsolated { text } }
        }
        onThreads(1) { _ in for text in ["a", "b"] { connection.accept(text) } }
        await yield { events.values.count == 2 }
        #expect(events.values == ["a", "b"])
        connection.dispose()
    }

    @Test("The disposal cancels an async handler on the main actor")
    func asyncIsCancelled() async {
        let (began, ended) = (Gate(), Gate())
        let connection = connect {
            $0.toEvent { @MainActor text in
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
