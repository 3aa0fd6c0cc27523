import Dispatch
import Loop
import TestSupport
import Testing

// Serialized: the page's `closeApplication` is a global function, so all tests share the record of its calls.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopExampleTests {
    typealias MakeHandler = @Sendable (DataSource, Player) -> AnyConnectable<MyEffect, MyEvent>

    /// The two ways in which the page writes the handler.
    static let handlers: [MakeHandler] = [
        { handlerExamples(dataSource: $0, player: $1) }, { inlineExamples(dataSource: $0, player: $1) },
    ]

    private let dataSource = DataSource()
    private let player = Player()
    private let events = Record<MyEvent>()

    /// The page's loop, after a first event whose update dispatches `effects`.
    private func loop(
        _ makeHandler: MakeHandler, _ effects: MyEffect...
    ) -> MobiusLoop<MyModel, MyEvent, MyEffect> {
        let loop = loopExamples(
            update: { [events] model, event in
                events.append(event)
                return switch event {
                case .usersFetched([]): .dispatchEffects(effects)
                case .playbackStopped: .next(MyModel(users: model.users, isPlaying: false))
                case .usersFetched(let users): .next(MyModel(users: users, isPlaying: model.isPlaying))
                }
            },
            effectHandler: makeHandler(dataSource, player),
            eventSource: CompositeEventSourceBuilder<MyEvent>().build(),
            model: MyModel()
        )
        loop.dispatchEvent(.usersFetched([]))
        return loop
    }

    @Test func theRouterPassesParametersToItsHandlers() {
        let handled = Record<String>()
        let connection = routeExamples { handled.append($0) }.connect { _ in }
        connection.accept(.a)
        connection.accept(.b(string: "b"))
        connection.accept(.c(left: "c", right: "d"))
        #expect(handled.values == ["a", "b", "cd"])
    }

    @Test(arguments: handlers)
    func closingTheApplicationSendsNoEvent(_ makeHandler: MakeHandler) {
        let before = closings.values.count
        let loop = loop(makeHandler, .closeApplication)
        #expect(closings.values.count == before + 1)
        #expect(events.values == [.usersFetched([])])
        #expect(loop.latestModel == MyModel())
    }

    @Test(arguments: handlers)
    func stoppingThePlaybackSendsPlaybackStopped(_ makeHandler: MakeHandler) {
        let loop = loop(makeHandler, .stopPlayback)
        #expect(player.stops.values.count == 1)
        #expect(events.values == [.usersFetched([]), .playbackStopped])
        #expect(loop.latestModel == MyModel(isPlaying: false))
    }

    @Test(arguments: handlers)
    func fetchingUsersSendsTheFetchedUsers(_ makeHandler: MakeHandler) throws {
        let loop = loop(makeHandler, .fetchUsers(ids: ["1", "2"]))
        let request = try #require(dataSource.requests.values.first)
        #expect(dataSource.requests.values.count == 1)
        #expect(loop.latestModel == MyModel())
        request.answer()
        let users = [User(id: "1"), User(id: "2")]
        #expect(events.values == [.usersFetched([]), .usersFetched(users)])
        #expect(loop.latestModel == MyModel(users: users))
        // Disposing does not cancel a request that was answered.
        loop.dispose()
        #expect(request.cancellations.values.isEmpty)
    }

    @Test(arguments: handlers)
    func disposingTheLoopCancelsTheRequest(_ makeHandler: MakeHandler) throws {
        let loop = loop(makeHandler, .fetchUsers(ids: ["1"]))
        let request = try #require(dataSource.requests.values.first)
        loop.dispose()
        #expect(request.cancellations.values.count == 1)
        request.answer()
        #expect(events.values == [.usersFetched([])])
        #expect(loop.latestModel == MyModel())
    }

    @Test @MainActor func aMainQueueEffectRunsLaterOnTheMainQueue() async {
        let shown = Record<Void>()
        let connection = queueExample {
            MainActor.preconditionIsolated()
            shown.append(())
        }.connect { _ in }
        connection.accept(.myUIEffect)
        #expect(shown.values.isEmpty)
        await Task { @MainActor in }.value
        #expect(shown.values.count == 1)
    }
}
