// The code of the three pages about loops, with these errors corrected:
// - `Effect.a`, `Effect.b`, `Effect.c` and `Effect.closeApplication`, where the type is `MyEffect`;
// - `fetchUsersWithIDs`, where the case is `fetchUsers`;
// - the cases of the nested enums without `case`;
// - `.routeCase(.myUIEffect)` of a router whose type is not given: the case is one of `MyEffect` here.
// A call replaces `...` in a closure.

import Dispatch
import Loop

// MARK: - Configuring a loop

func loopExamples(
    update: @escaping @Sendable (MyModel, MyEvent) -> Next<MyModel, MyEffect>,
    effectHandler: AnyConnectable<MyEffect, MyEvent>,
    eventSource: AnyEventSource<MyEvent>,
    model: MyModel
) -> MobiusLoop<MyModel, MyEvent, MyEffect> {
    let loopBuilder: Mobius.Builder<MyModel, MyEvent, MyEffect> =
        Mobius.loop(update: update, effectHandler: effectHandler)
    _ = loopBuilder

    let loop = Mobius.loop(update: update, effectHandler: effectHandler)
        .withEventSource(eventSource)
        .withLogger(SimpleLogger(tag: "my loop"))
        .withEventConsumerTransformer { $0 }
        .start(from: model)
    return loop
}

func startExample(
    update: @escaping @Sendable (Int, MyEvent) -> Next<Int, MyEffect>,
    effectHandler: AnyConnectable<MyEffect, MyEvent>
) -> MobiusLoop<Int, MyEvent, MyEffect> {
    let loop = Mobius.loop(update: update, effectHandler: effectHandler)
        .start(from: 2)
    return loop
}

// MARK: - Using a controller

func controllerExamples(
    myUpdate: @escaping @Sendable (MyModel, MyEvent) -> Next<MyModel, MyEffect>,
    myEffectHandler: AnyConnectable<MyEffect, MyEvent>,
    myEventSource: AnyEventSource<MyEvent>,
    myInitiate: @escaping Initiate<MyModel, MyEffect>,
    myViewConnectable: AnyConnectable<MyModel, MyEvent>,
    model: MyModel
) {
    do {
        let controller = Mobius.loop(update: myUpdate, effectHandler: myEffectHandler)
            .withEventSource(myEventSource)
            .withLogger(SimpleLogger(tag: "my loop"))
            .makeController(from: model, initiate: myInitiate)

        // MobiusController starts out in a stopped state
        controller.start()
    }
    do {
        let controller = Mobius.loop(update: myUpdate, effectHandler: myEffectHandler)
            .makeController(from: model, initiate: myInitiate)

        controller.connectView(myViewConnectable)

        controller.start()
    }
}

// MARK: - Effect handlers

enum RoutedEffect: Equatable {
    case a
    case b(string: String)
    case c(left: String, right: String)
}

func routeExamples(_ handled: @escaping @Sendable (String) -> Void) -> EffectRouter<RoutedEffect, MyEvent> {
    let router = EffectRouter<RoutedEffect, MyEvent>()
        .routeCase(RoutedEffect.a).to { handled("a") }
        .routeCase(RoutedEffect.b).to { string in handled(string) }
        .routeCase(RoutedEffect.c).to { (left, right) in handled(left + right) }
    return router
}

enum MyEvent: Equatable {
    case playbackStopped
    case usersFetched([User])
}

enum MyEffect: Equatable {
    case closeApplication
    case stopPlayback
    case fetchUsers(ids: [String])
    case myUIEffect
}

struct UserFetcher: EffectHandler {
    let dataSource: DataSource
    func handle(
        _ userIDs: [String],
        _ callback: EffectCallback<MyEvent>
    ) -> Disposable {
        let request =
            dataSource
            .downloadUsers(ids: userIDs)
            .then { users in callback.end(with: .usersFetched(users)) }
        return AnonymousDisposable { request.cancel() }
    }
}

func handlerExamples(dataSource: DataSource, player: Player) -> AnyConnectable<MyEffect, MyEvent> {
    let effectHandler = EffectRouter<MyEffect, MyEvent>()
        .routeCase(MyEffect.closeApplication)
        .to { closeApplication() }
        .routeCase(MyEffect.stopPlayback)
        .toEvent {
            player.stopPlayback()
            return MyEvent.playbackStopped
        }
        .routeCase(MyEffect.fetchUsers)
        .to(UserFetcher(dataSource: dataSource))  // defined below
        .asConnectable
    return effectHandler
}

func inlineExamples(dataSource: DataSource, player: Player) -> AnyConnectable<MyEffect, MyEvent> {
    let effectHandler = EffectRouter<MyEffect, MyEvent>()
        .routeCase(MyEffect.closeApplication)
        .to { closeApplication() }
        .routeCase(MyEffect.stopPlayback)
        .toEvent {
            player.stopPlayback()
            return MyEvent.playbackStopped
        }
        .routeCase(MyEffect.fetchUsers)
        .to { userIDs, callback in
            let request =
                dataSource
                .downloadUsers(ids: userIDs)
                .then { users in callback.end(with: .usersFetched(users)) }
            return AnonymousDisposable { request.cancel() }
        }
        .asConnectable
    return effectHandler
}

func queueExample(_ show: @escaping @Sendable () -> Void) -> EffectRouter<MyEffect, MyEvent> {
    EffectRouter<MyEffect, MyEvent>()
        .routeCase(.myUIEffect)
        .on(queue: .main)
        .to {
            // Call some code that needs to run on the main thread
            show()
        }
}

// MARK: - Nested effects

enum GroupedEffect {
    case song(Playback)
    case navigateTo(NavigationTarget)
}

enum Playback {
    case play
    case pause
    case resume
}

enum NavigationTarget {
    case artist
    case home
    case search
}
