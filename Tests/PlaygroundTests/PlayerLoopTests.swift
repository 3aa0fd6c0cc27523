import ExampleLoops
import Loop
import ResourceLoading
import TestSupport
import Testing
import VirtualTime

/// The player's loop, without its executable.
@Suite(.timeLimit(.minutes(10))) struct PlayerLoopTests {
    typealias Following = Next<PlayerModel, PlayerEffect>

    private static let ada = User(id: "ada", name: "Ada")
    private static let events: [PlayerEvent] = [
        .play, .stop, .playbackStopped, .secondPassed, .fetch(ids: ["ada"]), .usersFetched([ada]),
        .fetchFailed(reason: "no luck"), .quit, .inputEnded,
    ]

    private static func model(
        _ playback: PlayerModel.Playback = .stopped, _ users: PlayerModel.Users = .none, isEnding: Bool = false
    ) -> PlayerModel {
        var model = PlayerModel()
        (model.playback, model.users, model.isEnding) = (playback, users, isEnding)
        return model
    }

    @Test(arguments: [
        (model(), PlayerEvent.play, Following.next(model(.playing(seconds: 0)))),
        (model(.playing(seconds: 7)), .stop, .next(model(.stopping), effects: [.stopPlayback])),
        (model(.stopping), .playbackStopped, .next(model())),
        (model(.playing(seconds: 7)), .secondPassed, .next(model(.playing(seconds: 8)))),
        (
            model(.stopped, .fetched([])), .fetch(ids: ["ada"]),
            .next(model(.stopped, .fetching(ids: ["ada"])), effects: [.fetchUsers(ids: ["ada"])])
        ),
        (model(.stopping, .fetching(ids: [])), .usersFetched([ada]), .next(model(.stopping, .fetched([ada])))),
        (model(.stopped, .fetching(ids: [])), .fetchFailed(reason: "x"), .next(model(.stopped, .failed(reason: "x")))),
        (model(), .quit, .dispatchEffects([.closeApplication])),
        (model(.stopped, .fetching(ids: [])), .quit, .dispatchEffects([.closeApplication])),
        (model(), .inputEnded, .dispatchEffects([.closeApplication])),
        (
            model(.stopped, .fetching(ids: [])), .inputEnded,
            .next(model(.stopped, .fetching(ids: []), isEnding: true))
        ),
        (
            model(.stopped, .fetching(ids: []), isEnding: true), .usersFetched([ada]),
            .next(model(.stopped, .fetched([ada]), isEnding: true), effects: [.closeApplication])
        ),
        (
            model(.stopped, .fetching(ids: []), isEnding: true), .fetchFailed(reason: "x"),
            .next(model(.stopped, .failed(reason: "x"), isEnding: true), effects: [.closeApplication])
        ),
    ])
    func `the update returns the expected result`(model: PlayerModel, event: PlayerEvent, expected: Following) {
        #expect(playerUpdate(model, event) == expected)
    }

    @Test(arguments: [
        (model(), [PlayerEvent.play, .fetch(ids: ["ada"]), .quit, .inputEnded]),
        (model(.playing(seconds: 1)), [.stop, .secondPassed, .fetch(ids: ["ada"]), .quit, .inputEnded]),
        (model(.stopping), [.playbackStopped, .fetch(ids: ["ada"]), .quit, .inputEnded]),
        (
            model(.stopped, .fetching(ids: [])),
            [
                .play, .fetch(ids: ["ada"]), .usersFetched([ada]), .fetchFailed(reason: "no luck"), .quit,
                .inputEnded,
            ]
        ),
    ])
    func `all other events change nothing`(model: PlayerModel, fitting: [PlayerEvent]) {
        #expect(Self.events.filter { playerUpdate(model, $0) != .noChange } == fitting)
    }

    @Test(arguments: [
        (model(.playing(seconds: 1), .fetched([ada])), model(.playing(seconds: 1), .fetched([ada]))),
        (model(.stopping, .fetching(ids: ["ada"]), isEnding: true), model()),
    ])
    func `a start resets only temporary states`(left: PlayerModel, start: PlayerModel) {
        let first = playerInitiate(left)
        #expect(first.model == start)
        #expect(first.effects == [])
    }

    private let idle = PlayerEnvironment(closeApplication: {}, stopPlayback: {}, fetchUsers: { _ in [] })

    @Test func `each effect has one route`() {
        let router = playerEffectHandler(idle)
        #expect(router.misrouted(among: [.closeApplication, .stopPlayback, .fetchUsers(ids: ["ada"])]).isEmpty)
    }

    @Test func `effects are performed, and send their events`() async {
        let done = Record<String>()
        let (events, continuation) = AsyncStream<PlayerEvent>.makeStream()
        var environment = idle
        environment.closeApplication = { done.append("close") }
        environment.stopPlayback = { done.append("stop") }
        environment.fetchUsers = { ids in
            if ids.isEmpty { throw NamelessUser(id: "nobody") }
            return ids.map { User(id: $0, name: $0.uppercased()) }
        }
        let connection = playerEffectHandler(environment).connect { continuation.yield($0) }
        var answers = events.makeAsyncIterator()
        connection.accept(.closeApplication)
        connection.accept(.stopPlayback)
        #expect(done.values == ["close", "stop"])
        #expect(await answers.next() == .playbackStopped)
        connection.accept(.fetchUsers(ids: ["ada"]))
        #expect(await answers.next() == .usersFetched([User(id: "ada", name: "ADA")]))
        connection.accept(.fetchUsers(ids: []))
        #expect(await answers.next() == .fetchFailed(reason: #"The server has no name for "nobody"."#))
        connection.dispose()
    }

    @Test func `users are requested at their addresses`() async throws {
        let asked = Record<String>()
        let loader = ResourceLoader { location in
            asked.append(location)
            return ResourceLoader.Events { continuation in
                continuation.yield(
                    .loaded(ResourceSummary(size: 3, type: "text/plain", preview: .text(firstLines: ["Ada", "x"]))))
                continuation.finish()
            }
        }
        for url in ["http://host/users", "http://host/users/"] {
            #expect(
                try await UserServer(url: url, loader: loader).users(ids: ["1", "2"]).map(\.name) == ["Ada", "Ada"])
        }
        #expect(asked.values.suffix(2) == ["http://host/users/1", "http://host/users/2"])
        #expect(asked.values.prefix(2) == asked.values.suffix(2))
    }

    @Test func `the deck sends an event for each second of playback until it is stopped`() {
        let (clock, executor, seconds) = (VirtualClock(), ManualExecutor(), Record<PlayerEvent>())
        let deck = Deck(clock: clock, executor: executor)
        func pass(_ duration: Duration) { clock.advance(by: duration, draining: executor) }
        let connection = deck.connect { seconds.append($0) }
        connection.accept(Self.model())
        pass(.seconds(5))
        #expect(seconds.values == [])
        connection.accept(Self.model(.playing(seconds: 0)))
        connection.accept(Self.model(.playing(seconds: 0)))
        pass(.seconds(3))
        #expect(seconds.values == [.secondPassed, .secondPassed, .secondPassed])
        deck.stopPlayback()
        pass(.seconds(5))
        #expect(seconds.values.count == 3)
        connection.accept(Self.model(.playing(seconds: 3)))
        pass(.seconds(1))
        #expect(seconds.values.count == 4)
        connection.dispose()
        pass(.seconds(5))
        #expect(seconds.values.count == 4)
        #expect(clock.sleeperCount == 0)
    }
}
