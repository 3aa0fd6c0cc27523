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

        enum CounterEvent { case increment, decrement, saved }
        enum CounterEffect: Equatable { case save(Int) }

        let update = Update<Int, CounterEvent, CounterEffect> { count, event in
            switch event {
            case .increment: .next(count + 1, effects: [.save(count + 1)])
            case .decrement where count == 0: .noChange
            case .decrement: .next(count - 1, effects: [.save(count - 1)])
            case .saved: .noChange
            }
        }

        let effectHandler = EffectRouter<CounterEffect, CounterEvent>()
            .routeCase(CounterEffect.save).toEvent { count in
                print("saving \(count)")
                return .saved
            }

        let loop = Mobius.loop(update: update, effectHandler: effectHandler).start(from: 2)
        loop.dispatchEvent(.increment)  // saving 3; loop.latestModel == 3

        #expect(loop.latestModel == 3)
        #expect(log.lines == ["saving 3"])

        let builder = Mobius.loop(update: update, effectHandler: effectHandler)
            .withEventSource { AsyncStream<CounterEvent> { $0.finish() } }
            .withLogger(SimpleLogger(tag: "counter"))
        #expect(builder.start(from: 1).latestModel == 1)
    }

    @Test func models() {
        struct Profile: Mobius.Copyable { var name = "", visits = 0 }

        let renaming = Update<Profile, String, Never> { profile, name in
            .next(profile.copy { $0.name = name })
        }

        let counting = Update<Profile, Int, Never>(inPlace: { profile, visits in
            profile.visits += visits
            return []
        })

        let renamed = renaming(Profile(name: "Ann", visits: 1), "Bob").model
        #expect(renamed?.name == "Bob" && renamed?.visits == 1)
        let counted = counting(Profile(name: "Ann", visits: 1), 2).model
        #expect(counted?.name == "Ann" && counted?.visits == 3)
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

        let effectHandler = EffectRouter<PlayerEffect, PlayerEvent>()
            // Does work, and sends no event.
            .routeCase(PlayerEffect.beep).to { player.beep() }
            // Sends the event that it returns, or none for nil.
            .routeCase(PlayerEffect.stopPlayback).toEvent { player.stop() ? .playbackStopped : nil }
            // Runs in a task, which is cancelled with the loop.
            .routeCase(PlayerEffect.fetchUsers).toEvent { ids in .usersFetched(await player.users(ids)) }
            // Sends the events of an asynchronous sequence.
            .routeCase(PlayerEffect.followTitle).toEvents { player.titles.map { title in .titled(title) } }
            // Sends events with a callback. The returned disposable cancels the work.
            .routeCase(PlayerEffect.download).to { address, callback in
                let download = player.download(address) { callback.end(with: .downloaded($0)) }
                return AnonymousDisposable { download.cancel() }
            }

        #expect(effectHandler.misrouted(among: [.beep, .stopPlayback, .fetchUsers(ids: ["1"])]).isEmpty)

        let exhaustive = EffectSwitch<PlayerEffect, PlayerEvent> { effect in
            switch effect {
            case .beep: .to { player.beep() }
            case .stopPlayback: .toEvent { player.stop() ? .playbackStopped : nil }
            case .fetchUsers(let ids): .toEvent { .usersFetched(await player.users(ids)) }
            case .followTitle, .download: .nothing
            }
        }

        let manyRoutes = EffectRouter<PlayerEffect, PlayerEvent> { router in
            router.routeCase(PlayerEffect.beep).to { player.beep() }
            router.routeCase(PlayerEffect.stopPlayback).toEvent { player.stop() ? .playbackStopped : nil }
            router.routeCase(PlayerEffect.fetchUsers).toEvent { ids in .usersFetched(await player.users(ids)) }
        }
        #expect(manyRoutes.misrouted(among: [.beep, .stopPlayback, .fetchUsers(ids: ["1"])]).isEmpty)

        for handler in [effectHandler.asConnectable, AnyConnectable(exhaustive)] {
            let events = Record<PlayerEvent>()
            let connection = handler.connect { events.append($0) }
            connection.accept(.beep)
            connection.accept(.stopPlayback)
            #expect(events.values == [.playbackStopped])
            connection.accept(.download("a"))
            connection.dispose()
        }
        #expect(player.log.lines == ["beep", "stop", "beep", "stop"])
    }

    private enum SearchEffect { case search(String) }
    private enum SearchEvent: Equatable { case found([String]) }

    @Test func policies() async {
        @Sendable func results(_ text: String) async -> [String] { [text] }

        let search = EffectRouter<SearchEffect, SearchEvent>()
            .routeCase(SearchEffect.search).policy(.latest).toEvent { text in .found(await results(text)) }

        let (events, continuation) = AsyncStream<SearchEvent>.makeStream()
        let connection = search.connect { continuation.yield($0) }
        connection.accept(.search("a"))
        #expect(await events.first { _ in true } == .found(["a"]))
        connection.dispose()
    }

    @Test func readme() {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        enum Roll {
            case tapped
            case rolled(Int)
        }
        enum RollEffect { case roll(sides: Int) }

        let roll = Update<Int, Roll, RollEffect> { number, event in
            switch event {
            case .tapped: .dispatchEffects([.roll(sides: 6)])
            case .rolled(let number): .next(number)
            }
        }

        let handler = EffectRouter<RollEffect, Roll>()
            .routeCase(RollEffect.roll).toEvent { sides in .rolled(.random(in: 1...sides)) }

        let die = Mobius.loop(update: roll, effectHandler: handler).start(from: 1)
        die.addObserver { number in print("It shows \(number).") }
        die.dispatchEvent(.tapped)

        #expect(log.lines.count == 2)
    }
}
