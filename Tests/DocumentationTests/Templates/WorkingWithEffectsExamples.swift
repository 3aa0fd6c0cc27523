// The code of the article on working with effects.

import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

@Suite("The article on working with effects", .timeLimit(.minutes(10)))
struct WorkingWithEffectsExampleTests {
    //@block Effects/WorkingWithEffects struct Journal

    @Test func environment() async throws {
        let (log, printed) = (Log(), Log())
        @Sendable func print(_ text: String) { printed.append(text) }
        let shop = Shop(price: { $0.count }, journal: Journal(write: { log.append($0) }))

        //@block Effects/WorkingWithEffects var asking: Effect<Shop> { Effect { actions, shop in actions.ofType(AskPrice.self) .flatMap(.latest) { ask in PriceCame(price

        //@block Effects/WorkingWithEffects var logging
        store.dispatch(action: AskPrice(name: "tea"))
        try await store.settled()
        store.dispatch(action: AskPrice(name: "cake"))
        try await store.settled()
        #expect(store.state == 4)
        #expect(log.lines == ["3", "4"])
        #expect(printed.lines.sorted() == ["asked for cake", "asked for tea"])
    }

    //@block Effects/WorkingWithEffects enum CartAction

    @Test func enums() {
        //@block Effects/WorkingWithEffects var cart
        let store = Store(
            reducer: on(CartAction.self) { state, action in if case .changed(let count) = action { state = count } },
            initialState: 0, effects: [cart])
        for action in [CartAction.add("tea"), .remove("tea"), .add("cake")] { store.dispatch(action: action) }
        #expect(store.state == 2)
    }

    @Test func lives() {
        let (shown, counted) = (Log(), Log())
        let alert = Effect(dispatch: false) { actions in
            actions.ofType(AskPrice.self).handleEvents { shown.append($0.name) }.eraseActionType()
        }
        let badge = Effect(dispatch: false) { actions in
            actions.ofType(AskPrice.self).handleEvents { counted.append($0.name) }.eraseActionType()
        }
        let store = Store(reducer: { (_: inout Int, _) in }, initialState: 0)
        var registrations: Set<ScopedRegistration> = []
        //@block Effects/WorkingWithEffects store.register(alert
        store.dispatch(action: AskPrice(name: "1"))
        #expect(shown.lines == ["1"])
        registrations = []
        store.dispatch(action: AskPrice(name: "2"))
        #expect(shown.lines == ["1"])
        #expect(counted.lines.isEmpty)
    }

    @Test func middleware() {
        //@block Effects/WorkingWithEffects var gate
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

    //@block Effects/WorkingWithEffects func searching(_

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
    struct SoldOut: Error {}

    private static let reducer: ReducerFn<Int> = combine {
        on(PriceCame.self) { state, came in state = came.price }
        on(NoPrice.self) { state, _ in state = -1 }
    }
    private static let shop = Shop(
        price: { name in if name.isEmpty { throw SoldOut() } else { name.count } }, journal: Journal(write: { _ in }))

    @Test func failures() async {
        let log = Log()
        @Sendable func print(_ error: any Error) { log.append("\(error)") }
        let shop = Self.shop
        let store = Store(reducer: Self.reducer, initialState: 0)

        //@block Effects/WorkingWithEffects var asking: Effect<Shop> { Effect { actions, shop in actions.ofType(AskPrice.self) .flatMap { ask

        store.dispatch(action: AskPrice(name: ""))
        _ = await store.states().first { $0 == -1 }
        #expect(log.lines.isEmpty)
    }

    //@block Effects/WorkingWithEffects func restarting(_

    @Test func restartingAfterAPause() {
        let scheduler = VirtualScheduler()
        defer { scheduler.drain() }
        let store = Store(
            reducer: Self.reducer, initialState: 0, environment: Self.shop, effects: [restarting(scheduler.clock)],
            executor: scheduler.executor)
        store.onError { _ in }
        store.dispatch(action: AskPrice(name: ""))
        scheduler.advance(by: .seconds(1))
        store.dispatch(action: AskPrice(name: "tea"))
        scheduler.drain()
        #expect(store.state == 3)
    }

    @Test func runningWithEnvironment() async throws {
        let asked = Log()
        let price: @Sendable (String) -> Int = { name in
            asked.append(name)
            return name.count
        }
        let shop = Shop(price: price, journal: Journal(write: { _ in }))

        //@block Effects/WorkingWithEffects var asking: Effect<Shop> { .map(AskPrice.self,

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
        let shop = Self.shop

        //@block Effects/WorkingWithEffects var asking: Effect<Shop> { Effect { actions, shop in actions.ofType(AskPrice.self) .flatMap(.latest) { ask in do

        let store = Store(reducer: Self.reducer, initialState: 0, environment: shop, effects: [asking])
        store.dispatch(action: AskPrice(name: "tea"))
        try await store.settled()
        #expect(store.state == 3)
        store.dispatch(action: AskPrice(name: ""))
        try await store.settled()
        #expect(store.state == -1)
    }

    //@block Effects/WorkingWithEffects struct Connect

    @Test func stoppingAStream() async throws {
        let (messages, sender) = AsyncStream.makeStream(of: String.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        sender.onTermination = { _ in end.finish() }
        let (others, otherSender) = AsyncStream.makeStream(of: String.self)
        let chat = Chat(messages: { room in room == "1" ? messages : others })

        //@block Effects/WorkingWithEffects var listening

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

    //@block Effects/WorkingWithEffects struct Rename

    @Test func decidingForEachID() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let notes = Notes(rename: { note, title in
            log.append("\(note): \(title) at \(scheduler.clock.now.offset)")
            try await scheduler.clock.sleep(for: .seconds(1))
        })

        //@block Effects/WorkingWithEffects var renaming

        let store = Store(
            reducer: on(Renamed.self) { (state: inout Int, _) in state += 1 }, initialState: 0, environment: notes,
            effects: [renaming], executor: scheduler.executor)
        for title in ["a", "ab", "abc"] { store.dispatch(action: Rename(note: 1, title: title)) }
        store.dispatch(action: Rename(note: 2, title: "b"))
        scheduler.advance(by: .seconds(10))
        #expect(log.lines == ["1: a at 0.0 seconds", "2: b at 0.0 seconds", "1: abc at 1.0 seconds"])
        #expect(store.state == 3)
    }

    //@block Effects/WorkingWithEffects func pricing(_

    //@block Effects/WorkingWithEffects func asking(_

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

        let store = Store(
            reducer: Self.reducer, initialState: 0, environment: shop, effects: [asking(clock)],
            executor: scheduler.executor)
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

        // Without an action for the failure.
        let shorter = Effect<Shop> { actions, shop in
            actions.ofType(AskPrice.self)
                .flatMap(.latest) { ask in ActionStream(pricing(ask.name, clock: clock), in: shop) }
        }
        let other = Store(
            reducer: on(PriceCame.self) { state, came in state = came.price }, initialState: 0,
            environment: shop, effects: [shorter], executor: scheduler.executor)
        other.dispatch(action: AskPrice(name: "cake"))
        scheduler.drain()
        #expect(other.state == 4)
    }
}
