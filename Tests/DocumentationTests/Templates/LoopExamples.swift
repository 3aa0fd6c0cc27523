// The code of the articles on loops.

import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing

@Suite("The articles on loops", .timeLimit(.minutes(10)))
struct LoopExampleTests {
    @Test func loop() {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block Loop/Loop enum CounterEvent

        #expect(loop.latestModel == 3)
        #expect(log.lines == ["saving 3"])

        //@block Loop/Loop let builder
        #expect(builder.start(from: 1).latestModel == 1)
    }

    @Test func models() {
        //@block Loop/Loop struct Profile

        //@block Loop/Loop var counting

        let renamed = renaming(Profile(name: "Ann", visits: 1), "Bob").model
        #expect(renamed?.name == "Bob" && renamed?.visits == 1)
        let counted = counting(Profile(name: "Ann", visits: 1), 2).model
        #expect(counted?.name == "Ann" && counted?.visits == 3)

        //@block Loop/Loop var profile
        #expect(profile.visits == 6)
    }

    @Test func parts() {
        //@block Loop/Loop struct Todo

        let one = Todos(rows: [Todo(id: 7)])
        let next = todos(one, .row(7, .toggled))
        #expect(next.model?.rows == [Todo(id: 7, isDone: true)])
        #expect(next.effects == [.row(7, .save(isDone: true))])
        #expect(todos(one, .filtered("tea")).model?.filter == "tea")
    }

    private enum PlayerEvent: Equatable {
        case playbackStopped
        case usersFetched([String])
        case titled(String)
        case downloaded(String)
    }

    private enum PlayerEffect {
        case beep
        case stopPlayback
        case fetchUsers(ids: [String])
        case followTitle
        case download(String)
    }

    private final class Player: Sendable {
        final class Download: Sendable {
            func cancel() {}
        }

        let log = Log()
        let titles = AsyncStream<String> { $0.finish() }

        func beep() { log.append("beep") }

        func stop() -> Bool {
            log.append("stop")
            return true
        }

        func users(_ ids: [String]) async -> [String] { ids }

        func download(_ address: String, _ then: @Sendable (String) -> Void) -> Download {
            then("the contents of \(address)")
            return Download()
        }
    }

    @Test func effectHandlers() {
        let player = Player()

        //@block Loop/EffectHandlers var effectHandler

        //@block Loop/EffectHandlers var exhaustive

        //@block Loop/EffectHandlers var manyRoutes
        let connection = manyRoutes.connect { _ in }
        for effect in [PlayerEffect.beep, .stopPlayback, .fetchUsers(ids: ["1"])] { connection.accept(effect) }
        connection.dispose()

        for handler in [effectHandler.asConnectable, AnyConnectable(exhaustive)] {
            let events = Record<PlayerEvent>()
            let connection = handler.connect { events.append($0) }
            connection.accept(.beep)
            connection.accept(.stopPlayback)
            #expect(events.values == [.playbackStopped])
            connection.accept(.download("a"))
            connection.dispose()
        }
        #expect(player.log.lines == ["beep", "stop", "beep", "stop", "beep", "stop"])
    }

    private enum SearchEffect { case search(String) }
    private enum SearchEvent: Equatable { case found([String]) }

    @Test func policies() async {
        @Sendable func results(_ text: String) async -> [String] { [text] }

        //@block Loop/EffectHandlers var search: EffectRouter<SearchEffect,

        let (events, continuation) = AsyncStream<SearchEvent>.makeStream()
        let connection = search.connect { continuation.yield($0) }
        connection.accept(.search("a"))
        #expect(await events.first { _ in true } == .found(["a"]))
        connection.dispose()
    }

    @Test func readme() {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block FunctionalArchitecture/StartHere enum Roll

        #expect(log.lines.count == 2)
    }
}
