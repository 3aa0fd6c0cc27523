import Dispatch
import Loop
import TestSupport
import Testing

@Suite struct LoopExampleTests {
    @Test func theRouterHandsParametersOver() {
        let handled = Record<String>()
        let connection = routeExamples { handled.append($0) }.connect { _ in }
        connection.accept(.a)
        connection.accept(.b(string: "b"))
        connection.accept(.c(left: "c", right: "d"))
        #expect(handled.values == ["a", "b", "cd"])
    }

    @Test(arguments: [handlerExamples, inlineExamples])
    func theHandlersAnswer(
        _ makeHandler: @Sendable (DataSource, Player) -> AnyConnectable<MyEffect, MyEvent>
    ) throws {
        let (dataSource, player) = (DataSource(), Player())
        let loop = loopExamples(
            update: { model, event in
                switch event {
                case .playbackStopped: .next(MyModel(users: model.users, isPlaying: false))
                case .usersFetched(let users): .next(MyModel(users: users, isPlaying: model.isPlaying))
                }
            },
            effectHandler: makeHandler(dataSource, player),
            eventSource: CompositeEventSourceBuilder<MyEvent>().build(),
            model: MyModel()
        )
        loop.dispatchEvent(.usersFetched([]))
        #expect(loop.latestModel == MyModel())
    }
}
