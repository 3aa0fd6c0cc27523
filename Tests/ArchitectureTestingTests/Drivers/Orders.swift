import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

/// A message that a component, a loop and a store process in the same way. Their state is a number.
enum Order: Action, Equatable, AutoPrism {
    /// Changes nothing.
    case touch
    case add(Int)
    /// Its work calls `load`, which takes a second and returns the number, and adds that.
    case load(Int)
    /// The same, and the newest one wins, or one is done after the other.
    case newest(Int)
    case queued(Int)
    /// Its work adds the number a second after the last one.
    case paused(Int)
    /// Its work calls a function without a stub.
    case delete(Int)
    /// Its work fails at once, or in a second.
    case fail, failLater
    /// Its work adds one when the test calls `open`.
    case wait
    /// An effect of a loop that is answered at once.
    case echo(Int)
    /// Its effects in a loop are these.
    case all([Order])
    /// An effect of a loop that the test handles.
    case other(String)

    enum Route: CaseIterable {
        case plain, newest, queued, paused

        func policy(_ clock: VirtualClock) -> Policy {
            switch self {
            case .plain: .concurrent
            case .newest: .latest
            case .queued: .queued
            case .paused: .debounce(for: .seconds(1), clock: clock)
            }
        }
    }

    /// How the work is started. `nil` if there is none, or if only loops have it.
    var route: Route? {
        switch self {
        case .touch, .add, .echo, .all, .other: nil
        case .newest: .newest
        case .queued: .queued
        case .paused: .paused
        case .load, .delete, .fail, .failLater, .wait: .plain
        }
    }

    /// The effects in a loop.
    var effects: [Order] {
        switch self {
        case .touch, .add: []
        case .all(let effects): effects
        default: [self]
        }
    }
}

struct Offline: Error, Equatable {}

/// The front doors, and the words of their drivers.
enum Front: CaseIterable {
    case component, loop, store

    var message: String {
        switch self {
        case .component: "input"
        case .loop: "event"
        case .store: "action"
        }
    }

    /// What a driver calls the work of an order.
    func work(_ order: Order) -> String {
        switch self {
        case .component: "\(order)"
        case .loop: "The effect \(order) of \(order)"
        case .store: "The \(order.route == .paused ? "pause" : "request") of ORDERS:1 for \(order)"
        }
    }

    /// What a driver reports of the work of an order that is left, without its status.
    func left(_ order: Order) -> String { "Work is under way at the end of the test: \(work(order).afterColon)" }

    /// What a driver says has failed.
    var failed: String { self == .store ? "The effect ORDERS:1 has failed" : "Work has failed" }
}

extension String {
    /// This text as a driver writes it after a colon, where an article has a small letter.
    var afterColon: String { replacing(#/^(The|A) /#) { $0.1.lowercased() + " " } }
}

/// What a driver says of work that does not sleep.
let never = """
    waits for something that no advance of the clock ends, such as a continuation, a sequence, the main actor, or a \
    detached task. To wait for another thread, make the statement in eventually
    """

/// Drivers of orders, which share a clock and a recorder.
struct Orders {
    let time = VirtualScheduler()
    let calls = Recorder()
    /// The errors with which works have ended.
    let errors = Log()
    private let gate = AsyncStream.makeStream(of: Void.self)

    /// Ends the work of `wait`.
    func open() { gate.continuation.yield() }

    /// Does the work of an order, and returns the number that it adds.
    var work: @Sendable (Order) async throws -> Int? {
        let load = calls.stub("load") { [time] (number: Int) async throws -> Int in
            try await time.clock.sleep(for: .seconds(1))
            return number
        }
        let delete: @Sendable (Int) throws -> Void = calls.unstubbed("delete")
        return { [time, errors, gate] order in
            do {
                switch order {
                case .touch, .add, .echo, .all, .other: return nil
                case .load(let number), .newest(let number), .queued(let number): return try await load(number)
                case .paused(let number): return number
                case .delete(let number):
                    try delete(number)
                    return nil
                case .fail: throw Offline()
                case .failLater:
                    try await time.clock.sleep(for: .seconds(1))
                    throw Offline()
                case .wait:
                    for await _ in gate.stream { return 1 }
                    throw CancellationError()
                }
            } catch {
                errors.append("\(error)")
                throw error
            }
        }
    }

    var dispatcher: StateDispatcher<Void, Int, Order> {
        let (work, clock) = (work, time.clock)
        let adding = StateDispatcher<Void, Int, Order>.workflow { order in
            if case .add(let number) = order { [.pure(.update { $0 += number })] } else { [] }
        }
        return Order.Route.allCases.reduce(adding) { all, route in
            all.combine(
                StateDispatcher<Void, Int, Order>.workflow { order in
                    if order.route != route { return [] }
                    return [
                        EnvIO { _ in
                            let number = try await work(order) ?? 0
                            return .update { $0 += number }
                        }
                    ]
                }
                .policy(route.policy(clock)))
        }
    }

    var router: EffectRouter<Order, Order> {
        let (work, clock) = (work, time.clock)
        let echoing = EffectRouter<Order, Order>().routeCase(Order.echo).toEvent { .add($0) }
        return Order.Route.allCases.reduce(echoing) { router, route in
            router.routeEffects(withParameters: { $0.route == route ? $0 : nil }).policy(route.policy(clock))
                .toEvent { (order: Order) async throws -> Order? in try await work(order).map { .add($0) } }
        }
    }

    var effects: [Effect<Void>] {
        let (work, clock) = (work, time.clock)
        return Order.Route.allCases.map { route in
            Effect(onFailure: .restart(atMost: 10, after: .forever), file: "ORDERS", line: 1) { actions in
                let orders = actions.ofType(Order.self).filter { $0.route == route }
                let numbers =
                    route == .paused
                    ? orders.debounce(for: .seconds(1), clock: clock).flatMap { try await work($0) }
                    : orders.flatMap(route.policy(clock)) { try await work($0) }
                return numbers.compactMap { $0.map { Order.add($0) } }.eraseActionType()
            }
        }
    }

    static let reducer: ReducerFn<Int> = on(Order.self) { count, order in
        if case .add(let number) = order { count += number }
    }

    static let update = Update<Int, Order, Order> { count, order in
        if case .add(let number) = order { return .next(count + number) }
        return order.effects.isEmpty ? .noChange : .dispatchEffects(order.effects)
    }

    func driver(
        _ front: Front, hasRecorder: Bool = true, relaxing axes: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> AnyTestDriver<Int> {
        let calls = hasRecorder ? calls : nil
        return switch front {
        case .component:
            TestDriver(
                dispatcher, state: 0, environment: (), time: time, calls: calls, relaxing: axes,
                sourceLocation: sourceLocation)
        case .loop:
            TestLoop(
                Mobius.loop(update: Self.update, effectHandler: router), from: 0, time: time, calls: calls,
                relaxing: axes, sourceLocation: sourceLocation)
        case .store:
            TestStore(
                reducer: Self.reducer, state: 0, effects: effects, time: time, calls: calls, relaxing: axes,
                sourceLocation: sourceLocation)
        }
    }

    /// A driver of a component whose subscription adds one each second, as long as the number is not zero.
    func counting(relaxing axes: TestAxes = []) -> TestDriver<Int, Order> {
        TestDriver(
            dispatcher, state: 0, environment: (),
            subscriptions: { [time] count in
                count == 0 ? [] : [.every(.seconds(1), id: "counter", clock: time.clock) { .add(1) }]
            }, time: time, calls: calls, relaxing: axes)
    }

    /// A driver of a component for a test that changes the component.
    func component(sourceLocation: SourceLocation = #_sourceLocation) -> TestDriver<Int, Order> {
        TestDriver(
            dispatcher, state: 0, environment: (), time: time, calls: calls, sourceLocation: sourceLocation)
    }

    /// A driver of a loop whose builder or effect handler the test changes.
    func loop(
        effects: [Order] = [], relaxing axes: TestAxes = [], sourceLocation: SourceLocation = #_sourceLocation,
        _ route: (EffectRouter<Order, Order>) -> EffectRouter<Order, Order> = { $0 },
        builder change: (Mobius.Builder<Int, Order, Order>) -> Mobius.Builder<Int, Order, Order> = { $0 }
    ) -> TestLoop<Int, Order, Order> {
        TestLoop(
            change(Mobius.loop(update: Self.update, effectHandler: route(router))), from: 0, effects: effects,
            time: time, calls: calls, relaxing: axes, sourceLocation: sourceLocation)
    }
}

/// What a test of all drivers calls. Disfavored, because the methods of the drivers have the same names.
extension AnyTestDriver<Int> {
    /// The component, loop or store.
    var owner: AnyObject {
        switch self {
        case let test as TestDriver<Int, Order>: test.component
        case let test as TestLoop<Int, Order, Order>: test.loop
        default: (self as! TestStore<Int>).store
        }
    }

    /// Sends an order, as other code than the test does.
    func dispatch(_ order: Order) { dispatching(order) }

    /// Sends an order from any thread.
    var dispatching: @Sendable (Order) -> Void {
        switch self {
        case let test as TestDriver<Int, Order>: { [weak component = test.component] in component?.send($0) }
        case let test as TestLoop<Int, Order, Order>: { [weak loop = test.loop] in loop?.dispatchEvent($0) }
        default: { [weak store = (self as! TestStore<Int>).store] in store?.dispatch(action: $0) }
        }
    }

    /// Calls a closure once, when an observer is notified of a state. Releases the closure, which may retain the driver.
    func when(_ state: Int, _ body: @escaping @Sendable () -> Void) {
        let awaited = Locked<(@Sendable () -> Void)?>(body)
        let observe: @Sendable (Int) -> Void = { count in
            let body = count == state ? awaited.withLock { $0.take() } : nil
            body?()
        }
        switch self {
        case let test as TestDriver<Int, Order>: test.component.observe(observe)
        case let test as TestLoop<Int, Order, Order>: test.loop.addObserver(observe)
        default: (self as! TestStore<Int>).store.observe(observe)
        }
    }

    /// Lets an observer answer a state with an order.
    func answer(_ state: Int, with order: Order) {
        let dispatch = dispatching
        when(state) { dispatch(order) }
    }

    /// Sends an order. Its effects in a loop are stated.
    @discardableResult @_disfavoredOverload
    func send(
        _ order: Order, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Int) -> Void)? = nil
    ) -> Sent {
        switch self {
        case let test as TestDriver<Int, Order>:
            return test.send(order, sourceLocation: sourceLocation, change)
        case let test as TestLoop<Int, Order, Order>:
            defer { if !order.effects.isEmpty { _ = test.takeEffects(sourceLocation: sourceLocation) } }
            return test.send(order, sourceLocation: sourceLocation, change)
        default:
            return (self as! TestStore<Int>).send(order as any Action, sourceLocation: sourceLocation, change)
        }
    }

    /// Receives an order. Its effects in a loop are stated.
    @discardableResult @_disfavoredOverload
    func receive(
        _ order: Order, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Int) -> Void)? = nil
    ) -> Sent {
        switch self {
        case let test as TestDriver<Int, Order>:
            return test.receive(order, sourceLocation: sourceLocation, change)
        case let test as TestLoop<Int, Order, Order>:
            defer { if !order.effects.isEmpty { _ = test.takeEffects(sourceLocation: sourceLocation) } }
            return test.receive(order, sourceLocation: sourceLocation, change)
        default:
            return (self as! TestStore<Int>).receive(order as any Action, sourceLocation: sourceLocation, change)
        }
    }

    @discardableResult @_disfavoredOverload
    func receive<Part>(
        _ prism: Prism<Order, Part>, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Int) -> Void)? = nil
    ) -> Part? {
        switch self {
        case let test as TestDriver<Int, Order>: test.receive(prism, sourceLocation: sourceLocation, change)
        case let test as TestLoop<Int, Order, Order>: test.receive(prism, sourceLocation: sourceLocation, change)
        default: (self as! TestStore<Int>).receive(prism, sourceLocation: sourceLocation, change)
        }
    }

    @discardableResult @_disfavoredOverload
    func receive(
        where isExpected: (Order) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Int) -> Void)? = nil
    ) -> Order? {
        switch self {
        case let test as TestDriver<Int, Order>:
            test.receive(where: isExpected, sourceLocation: sourceLocation, change)
        case let test as TestLoop<Int, Order, Order>:
            test.receive(where: isExpected, sourceLocation: sourceLocation, change)
        default:
            (self as! TestStore<Int>).receive(
                where: { (action: any Action) in (action as? Order).map(isExpected) ?? false },
                sourceLocation: sourceLocation, change) as? Order
        }
    }

    /// States that the work of a message adds a number: as a change of a component, and otherwise as a message.
    func result(_ number: Int, of sent: Sent, sourceLocation: SourceLocation = #_sourceLocation) {
        if let test = self as? TestDriver<Int, Order> {
            test.change(from: sent, sourceLocation: sourceLocation) { $0 += number }
        } else {
            receive(.add(number), sourceLocation: sourceLocation) { $0 += number }
        }
    }
}
