import ArchitectureTesting
import ExampleLoops
import Foundation
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
        .play, .stop, .playbackStopped, .secondPassed, .fetch(ids: ["ada"]), .usersFetched(UserList([ada])), .quit,
        .inputEnded,
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
            model(.stopped, .fetched(UserList())), .fetch(ids: ["ada"]),
            .next(model(.stopped, .fetching(ids: ["ada"])), effects: [.fetchUsers(ids: ["ada"])])
        ),
        (
            model(.stopping, .fetching(ids: [])), .usersFetched(UserList([ada], failures: ["x"])),
            .next(model(.stopping, .fetched(UserList([ada], failures: ["x"]))))
        ),
        (model(), .quit, .dispatchEffects([.closeApplication])),
        (model(.stopped, .fetching(ids: [])), .quit, .dispatchEffects([.closeApplication])),
        (model(), .inputEnded, .dispatchEffects([.closeApplication])),
        (
            model(.stopped, .fetching(ids: [])), .inputEnded,
            .next(model(.stopped, .fetching(ids: []), isEnding: true))
        ),
        (
            model(.stopped, .fetching(ids: []), isEnding: true), .usersFetched(UserList([ada])),
            .next(model(.stopped, .fetched(UserList([ada])), isEnding: true), effects: [.closeApplication])
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
                .play, .fetch(ids: ["ada"]), .usersFetched(UserList([ada])), .quit, .inputEnded,
            ]
        ),
    ])
    func `all other events change nothing`(model: PlayerModel, fitting: [PlayerEvent]) {
        #expect(Self.events.filter { playerUpdate(model, $0) != .noChange } == fitting)
    }

    @Test(arguments: [
        (
            model(.playing(seconds: 1), .fetched(UserList([ada]))),
            model(.playing(seconds: 1), .fetched(UserList([ada])))
        ),
        (model(.stopping, .fetching(ids: ["ada"]), isEnding: true), model()),
    ])
    func `a start resets only temporary states`(left: PlayerModel, start: PlayerModel) {
        let first = playerInitiate(left)
        #expect(first.model == start)
        #expect(first.effects == [])
    }

    private let idle = PlayerEnvironment(closeApplication: {}, stopPlayback: {}, fetchUsers: { _ in UserList() })

    @Test func `each effect has one route`() {
        // Traps if not exactly one route matches an effect.
        let connection = playerEffectHandler(idle).connect { _ in }
        for effect in [PlayerEffect.closeApplication, .stopPlayback, .fetchUsers(ids: ["ada"])] {
            connection.accept(effect)
        }
        connection.dispose()
    }

    private let time = VirtualScheduler()
    private let calls = Recorder()

    /// A driver of the player with a deck in virtual time, and with a server that answers after a second.
    private func player(sourceLocation: SourceLocation = #_sourceLocation) -> TestLoop<
        PlayerModel, PlayerEvent, PlayerEffect
    > {
        let deck = Deck(clock: time.clock, executor: time.executor)
        let environment = PlayerEnvironment(
            closeApplication: calls.stub("close") {},
            stopPlayback: calls.stub("stop") { deck.stopPlayback() },
            fetchUsers: calls.stub("fetch") { [time] ids in
                try await time.clock.sleep(for: .seconds(1))
                if ids.isEmpty { throw UserError.nameless(id: "nobody") }
                return UserList(ids.map { User(id: $0, name: $0.capitalized) })
            })
        let builder = Mobius.loop(update: playerUpdate, effectHandler: playerEffectHandler(environment))
        return TestLoop(
            builder.withEventSource(deck), from: PlayerModel(), time: time, calls: calls,
            sourceLocation: sourceLocation)
    }

    @Test func `only the newest fetch sends its users, and the end of the input waits for it`() {
        let player = player()
        let first = player.send(.fetch(ids: ["bob"])) { $0.users = .fetching(ids: ["bob"]) }
        player.effects(.fetchUsers(ids: ["bob"]))
        player.advance(by: .seconds(0.5))
        let second = player.send(.fetch(ids: ["ada"])) { $0.users = .fetching(ids: ["ada"]) }
        player.effects(.fetchUsers(ids: ["ada"]))
        player.expectCall("fetch", ["bob"])
        player.expectCall("fetch", ["ada"])
        player.expectWork(first)
        player.expectWork(second, .sleeping(until: .seconds(1.5)))
        player.send(.inputEnded) { $0.isEnding = true }
        player.advance(by: .seconds(1))
        player.receive(.usersFetched(UserList([Self.ada]))) { $0.users = .fetched(UserList([Self.ada])) }
        player.effects(.closeApplication)
        player.expectCall("close")
        player.finish()
    }

    @Test func `a fetch that fails is reported`() {
        let player = player()
        player.send(.fetch(ids: [])) { $0.users = .fetching(ids: []) }
        player.effects(.fetchUsers(ids: []))
        player.expectCall("fetch", [String]())
        player.advance(by: .seconds(1))
        let nobody = UserList(failures: [#"The server has no name for "nobody"."#])
        player.receive(.usersFetched(nobody)) { $0.users = .fetched(nobody) }
        player.finish()
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
            let server = UserServer(url: url, loader: loader)
            #expect(try await UserList.fetched(["1", "2"], by: server.name(of:)).users.map(\.name) == ["Ada", "Ada"])
        }
        #expect(asked.values.suffix(2) == ["http://host/users/1", "http://host/users/2"])
        #expect(asked.values.prefix(2) == asked.values.suffix(2))
    }

    @Test func `a missing user hides no other user, and a lost connection ends the fetch`() async throws {
        let list = try await UserList.fetched(["ada", "nobody", "bob", "lost", "eve"]) { id in
            if id == "nobody" { throw UserError.unknown(id: id) }
            if id == "lost" { throw LoadError.connectionRefused(host: "host") }
            return id
        }
        #expect(list.users.map(\.id) == ["ada", "bob"])
        #expect(
            "\(list)" == #"ada, bob, failed: There is no user "nobody". The host host refused the connection, "#
                + "or cannot be reached.")
        #expect("\(UserList(failures: ["x"]))" == "failed: x")
    }

    @Test func `a status of 404 is a missing user, another status is a failure`() async throws {
        for (status, expected) in [(404, 1), (503, 0)] {
            let loader = ResourceLoader { location in
                ResourceLoader.Events { $0.finish(throwing: LoadError.status(status, location: location)) }
            }
            let error = await #expect(throws: (any Error).self) {
                try await UserServer(url: "http://host", loader: loader).name(of: "ada")
            }
            #expect((error as? UserError == .unknown(id: "ada") ? 1 : 0) == expected)
        }
    }

    @Test func `the deck sends an event for each second of playback until it is stopped`() {
        let player = player()
        player.advance(by: .seconds(5))
        for _ in 0..<2 {
            player.send(.play) { $0.playback = .playing(seconds: 0) }
            player.advance(by: .seconds(2))
            player.receive(.secondPassed) { $0.playback = .playing(seconds: 1) }
            player.receive(.secondPassed) { $0.playback = .playing(seconds: 2) }
            player.send(.stop) { $0.playback = .stopping }
            player.effects(.stopPlayback)
            player.expectCall("stop")
            player.receive(.playbackStopped) { $0.playback = .stopped }
            player.advance(by: .seconds(5))
        }
        player.send(.play) { $0.playback = .playing(seconds: 0) }
        player.dispose()
        player.finish()
        #expect(time.clock.sleeperCount == 0)
    }
}
