// The code of the article on working with effects.

import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

@Suite("The article on working with effects", .timeLimit(.minutes(10)))
struct WorkingWithEffectsExampleTests {
    struct Journal: Sendable {
        var write: @Sendable (String) -> Void
    }

    struct Shop: Sendable {
        var price: @Sendable (String) async throws -> Int
        var journal: Journal
    }

    struct AskPrice: Action { let name: String }
    struct PriceCame: Action { let price: Int }

    @Test func environment() async {
        let (log, asked) = (Log(), Log())
        let shop = Shop(price: { $0.count }, journal: Journal(write: { log.append($0) }))

        let asking = Effect { (actions: ActionStream<any Action>, shop: Shop) in
            actions.ofType(AskPrice.self)
                .flatMap(.latest) { ask in PriceCame(price: try await shop.price(ask.name)) }
                .eraseActionType()
        }

        let logging = Effect { (actions: ActionStream<any Action>, journal: Journal) in
            actions.ofType(PriceCame.self).handleEvents { journal.write("\($0.price)") }.eraseActionType()
        }
        let counting = Effect.run(on: AskPrice.self) { _ in asked.append("asked") }

        let store = Store(
            reducer: on(PriceCame.self) { state, came in state = came.price },
            initialState: 0,
            environment: shop,
            effects: [asking, logging.contramap(\.journal), counting.contramap { _ in }]
        )
        store.dispatch(action: AskPrice(name: "tea"))
        _ = await store.states().first { $0 == 3 }
        store.dispatch(action: AskPrice(name: "cake"))
        _ = await store.states().first { $0 == 4 }
        #expect(log.lines.first == "3")
    }

    enum CartAction: Action, AutoPrism {
        case add(String)
        case remove(String)
        case changed(count: Int)
    }

    @Test func enums() {
        let cart = Effect { actions in
            actions
                .ofCase(CartAction.prism(for: CartAction.add))
                .scan(0) { count, _ in count + 1 }
                .map { CartAction.changed(count: $0) }
                .eraseActionType()
        }
        let store = Store(
            reducer: on(CartAction.self) { state, action in if case .changed(let count) = action { state = count } },
            initialState: 0, effects: [cart])
        for action in [CartAction.add("tea"), .remove("tea"), .add("cake")] { store.dispatch(action: action) }
        #expect(store.state == 2)
    }

    private final class Screen: Sendable {}

    @Test func lives() {
        let (shown, counted) = (Log(), Log())
        let alert = Effect(dispatch: false) { actions in
            actions.ofType(AskPrice.self).handleEvents { shown.append($0.name) }.eraseActionType()
        }
        let badge = Effect(dispatch: false) { actions in
            actions.ofType(AskPrice.self).handleEvents { counted.append($0.name) }.eraseActionType()
        }
        let store = Store(reducer: { (_: inout Int, _) in }, initialState: 0)
        var screen: Screen? = Screen()
        func registerAll(_ screen: Screen, _ registrations: inout Set<ScopedRegistration>) {
            store.register(alert, for: screen)  // until the screen is deallocated
            store.register(alert).store(in: &registrations)  // until the set is deallocated
            store.register([alert, badge], as: "checkout")  // until the group is unregistered:
            store.unregister("checkout")
        }
        var registrations: Set<ScopedRegistration> = []
        if let screen { registerAll(screen, &registrations) }
        store.dispatch(action: AskPrice(name: "1"))
        #expect(shown.lines == ["1", "1"])
        screen = nil
        store.dispatch(action: AskPrice(name: "2"))
        #expect(shown.lines == ["1", "1", "2"])
        registrations = []
        store.dispatch(action: AskPrice(name: "3"))
        #expect(shown.lines == ["1", "1", "2"])
        #expect(counted.lines.isEmpty)
    }

    @Test func middleware() {
        let gate = Middleware<Int> { action, store, next in
            if action is AskPrice, store.state > 0 { return }  // already known
            next(action)
        }
        let passed = Log()
        let store = Store(
            reducer: on(PriceCame.self) { state, came in state = came.price }, initialState: 0,
            effects: [
                .init(dispatch: false) {
                    $0.ofType(AskPrice.self).handleEvents { passed.append($0.name) }
                        .eraseActionType()
                }
            ],
            middleware: [gate])
        store.dispatch(action: AskPrice(name: "tea"))
        store.dispatch(action: PriceCame(price: 3))
        store.dispatch(action: AskPrice(name: "tea"))
        #expect(passed.lines == ["tea"])
    }

    struct AskPriceNow: Action { let name: String }

    func searching(_ clock: some Clock<Duration>) -> Effect<Void> {
        Effect { actions in
            actions.ofType(AskPrice.self)
                .debounce(for: .milliseconds(300), clock: clock)
                .map { AskPriceNow(name: $0.name) }
                .eraseActionType()
        }
    }

    @Test func time() async {
        let scheduler = VirtualScheduler()
        let names = Log()
        let store = Store(
            reducer: on(AskPriceNow.self) { _, ask in names.append(ask.name) }, initialState: 0,
            effects: [searching(scheduler.clock)], executor: scheduler.executor)
        store.dispatch(action: AskPrice(name: "te"))
        store.dispatch(action: AskPrice(name: "tea"))
        scheduler.advance(by: .milliseconds(299))
        #expect(names.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(names.lines == ["tea"])
    }

    struct NoPrice: Action {}

    @Test func failures() async {
        struct SoldOut: Error {}
        let log = Log()
        @Sendable func print(_ error: any Error) { log.append("\(error)") }
        let shop = Shop(
            price: { name in if name.isEmpty { throw SoldOut() } else { name.count } },
            journal: Journal(write: { _ in }))
        let store = Store(
            reducer: combineReducers(
                on(PriceCame.self) { state, came in state = came.price }, on(NoPrice.self) { state, _ in state = -1 }),
            initialState: 0)

        let asking = Effect { actions in
            actions.ofType(AskPrice.self)
                .flatMap { ask in
                    ActionStream<any Action> { PriceCame(price: try await shop.price(ask.name)) }
                        .replaceError(with: NoPrice())
                }
        }
        store.onError { error in print(error) }

        store.register(asking)
        store.dispatch(action: AskPrice(name: ""))
        _ = await store.states().first { $0 == -1 }
        #expect(log.lines.isEmpty)
    }

    @Test func runningWithEnvironment() async throws {
        let asked = Log()
        let price: @Sendable (String) -> Int = { name in
            asked.append(name)
            return name.count
        }
        let shop = Shop(price: price, journal: Journal(write: { _ in }))

        let asking = Effect<Shop>.map(AskPrice.self, .latest) { ask, shop in
            PriceCame(price: try await shop.price(ask.name))
        }
        let warming = Effect<Shop>.run(on: AskPrice.self) { ask, shop in _ = try await shop.price(ask.name) }

        let reduced = Log()
        let store = Store(
            reducer: { (_: inout Int, action) in reduced.append("\(action is AskPrice)") }, initialState: 0,
            environment: shop, effects: [asking, warming])
        store.dispatch(action: AskPrice(name: "tea"))
        try await store.settled()
        #expect(asked.lines == ["tea", "tea"])
        #expect(reduced.lines == ["true", "false"])
    }

    @Test func severalTypesOfAnswers() async throws {
        struct SoldOut: Error {}
        let shop = Shop(
            price: { name in if name.isEmpty { throw SoldOut() } else { name.count } },
            journal: Journal(write: { _ in }))

        let asking = Effect<Shop> { actions, shop in
            actions.ofType(AskPrice.self)
                .flatMap(.latest) { ask -> any Action in
                    do {
                        return PriceCame(price: try await shop.price(ask.name))
                    } catch {
                        return NoPrice()
                    }
                }
        }

        let store = Store(
            reducer: combineReducers(
                on(PriceCame.self) { state, came in state = came.price }, on(NoPrice.self) { state, _ in state = -1 }),
            initialState: 0, environment: shop, effects: [asking])
        store.dispatch(action: AskPrice(name: "tea"))
        try await store.settled()
        #expect(store.state == 3)
        store.dispatch(action: AskPrice(name: ""))
        try await store.settled()
        #expect(store.state == -1)
    }

    struct Connect: Action { let room: String }
    struct Disconnect: Action {}
    struct MessageCame: Action { let text: String }

    struct Chat: Sendable {
        var messages: @Sendable (_ room: String) -> AsyncStream<String>
    }

    @Test func stoppingAStream() async throws {
        let (messages, sender) = AsyncStream.makeStream(of: String.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        sender.onTermination = { _ in end.finish() }
        let (others, otherSender) = AsyncStream.makeStream(of: String.self)
        let chat = Chat(messages: { room in room == "1" ? messages : others })

        let listening = Effect<Chat> { actions, chat in
            actions.ofTypes(Connect.self, Disconnect.self)
                .flatMap(.latest) { action -> ActionStream<any Action> in
                    guard let connect = action as? Connect else { return .empty }
                    return ActionStream(of: { chat.messages(connect.room) })
                        .map { MessageCame(text: $0) }
                }
        }

        let store = Store(
            reducer: on(MessageCame.self) { state, came in state.append(came.text) }, initialState: [String](),
            environment: chat, effects: [listening])
        store.dispatch(action: Connect(room: "1"))
        sender.yield("hello")
        _ = await store.states().first { $0 == ["hello"] }

        store.dispatch(action: Disconnect())
        for await _ in ends {}  // returns when the iteration over the messages has been cancelled
        sender.yield("too late")

        store.dispatch(action: Connect(room: "2"))
        otherSender.yield("again")
        _ = await store.states().first { $0.last == "again" }
        #expect(store.state == ["hello", "again"])
    }

    func pricing(_ name: String, clock: some Clock<Duration>) -> EnvIO<Shop, any Error, any Action> {
        EnvIO { shop in PriceCame(price: try await shop.price(name)) }
            .retry(.exponential(base: .milliseconds(100)) && .recurs(3), clock: clock)
    }

    @Test func retrying() {
        struct Unreachable: Error {}
        let attempts = Log()
        let price: @Sendable (String) throws -> Int = { name in
            attempts.append(name)
            if attempts.lines.count < 3 || name.isEmpty { throw Unreachable() }
            return name.count
        }
        let shop = Shop(price: price, journal: Journal(write: { _ in }))
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock

        let asking = Effect<Shop> { actions, shop in
            actions.ofType(AskPrice.self)
                .flatMap(.latest) { ask in
                    ActionStream(pricing(ask.name, clock: clock), in: shop)
                        .replaceError(with: NoPrice())
                }
        }

        let store = Store(
            reducer: combineReducers(
                on(PriceCame.self) { state, came in state = came.price }, on(NoPrice.self) { state, _ in state = -1 }),
            initialState: 0, environment: shop, effects: [asking], executor: scheduler.executor)
        store.dispatch(action: AskPrice(name: "tea"))
        scheduler.drain()
        #expect(attempts.lines.count == 1)
        scheduler.advance(by: .milliseconds(100))
        #expect(attempts.lines.count == 2)
        scheduler.advance(by: .milliseconds(199))
        #expect(store.state == 0)
        scheduler.advance(by: .milliseconds(1))
        #expect(store.state == 3)

        store.dispatch(action: AskPrice(name: ""))
        scheduler.drain()
        scheduler.advance(by: .milliseconds(699))
        #expect(store.state == 3)
        scheduler.advance(by: .milliseconds(1))
        #expect(store.state == -1)
        #expect(attempts.lines.count == 3 + 4)

        // The shorter form, without an action for the failure.
        let shorter = Effect<Shop> { actions, shop in
            actions.ofType(AskPrice.self)
                .flatMap(.latest, in: shop) { ask in pricing(ask.name, clock: clock) }
        }
        let other = Store(
            reducer: on(PriceCame.self) { state, came in state = came.price }, initialState: 0,
            environment: shop, effects: [shorter], executor: scheduler.executor)
        other.dispatch(action: AskPrice(name: "cake"))
        scheduler.drain()
        #expect(other.state == 4)
    }
}
