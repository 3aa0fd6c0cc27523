import FunctionalArchitecture
import TestSupport
import VirtualTime

/// The numbers that a front door has received.
struct Numbers: Equatable, Sendable {
    private(set) var last = 0
    private(set) var count = 0

    mutating func add(_ number: Int) { (last, count) = (number, count + 1) }
}

struct Sent: Action { let number: Int }

/// A component, a store or a loop of numbers, with what all of them promise.
final class FrontDoor: Sendable {
    typealias Programs = StateDispatcher<Void, Numbers, Int>
    typealias Router = EffectRouter<Int, Int>

    let send: @Sendable (Int) -> Void
    /// Cancels all work that is under way.
    let cancel: @Sendable () -> Void
    let settled: @Sendable () async throws -> Void
    private let read: @Sendable () -> Numbers
    private let addObserver: @Sendable (@escaping @Sendable (Numbers) -> Void) -> Void

    var numbers: Numbers { read() }

    /// Calls `body` with this front door for each state, but does not retain it.
    func observe(_ body: @escaping @Sendable (FrontDoor, Numbers) -> Void) {
        addObserver { [weak self] numbers in if let self { body(self, numbers) } }
    }

    /// A component. Each input commits its number, and then starts the works of `programs`.
    init(
        _ scheduler: VirtualScheduler?, maximumChain: Int = 1_000_000, carrying: CarriedValues? = nil,
        subscriptions: [Subscription<Void, Int>] = [],
        _ programs: Programs = Programs.workflow { _ in [] }
    ) {
        let component = Component(
            initialState: Numbers(), environment: (), executor: scheduler?.executor, carrying: carrying,
            maximumChain: maximumChain,
            dispatcher: Programs.pure { number in .update { $0.add(number) } }.combine(programs),
            subscriptions: { _ in subscriptions })
        let handles = Record<SendTask>()
        send = { handles.append(component.send($0)) }
        cancel = { for handle in handles.values { handle.cancel() } }
        settled = { try await component.settled() }
        read = { component.state }
        addObserver = { component.observe($0) }
    }

    /// A store, and an effect that sends what it returns for the numbers.
    init(
        _ scheduler: VirtualScheduler?, maximumChain: Int = 1_000_000, carrying: CarriedValues? = nil,
        effect: @escaping @Sendable (ActionStream<Sent>) -> ActionStream<Sent>
    ) {
        let store = Store(
            reducer: on(Sent.self) { (numbers: inout Numbers, sent) in numbers.add(sent.number) },
            initialState: Numbers(), executor: scheduler?.executor, carrying: carrying, maximumChain: maximumChain)
        let registration = store.register(
            Effect(file: "A.swift", line: 1) { effect($0.ofType(Sent.self)).eraseActionType() })
        send = { store.dispatch(action: Sent(number: $0)) }
        cancel = { registration.cancel() }
        settled = { try await store.settled() }
        read = { store.state }
        addObserver = { store.observe($0) }
    }

    /// A loop whose effects are the positive numbers.
    init(
        _ scheduler: VirtualScheduler?, maximumChain: Int = 1_000_000, carrying: CarriedValues? = nil,
        isEndless: Bool = false,
        router: (EffectRoute<Int, Int, Int>) -> Router
    ) {
        let update = Update<Numbers, Int, Int> { numbers, number in
            var numbers = numbers
            numbers.add(number)
            return .next(numbers, effects: number > 0 ? [number] : [])
        }
        let route = Router(executor: scheduler?.executor).routeEffects(withParameters: { $0 })
        let builder = Mobius.loop(update: update, effectHandler: router(route)).withMaximumChain(maximumChain)
            .withCarriedValues(carrying)
        let loop =
            isEndless
            ? builder.withEventSource { AsyncStream<Int> { _ in } }.start(from: Numbers())
            : builder.start(from: Numbers())
        send = { loop.dispatchEvent($0) }
        cancel = { loop.dispose() }
        settled = { try await loop.settled() }
        read = { loop.latestModel }
        addObserver = { loop.addObserver($0) }
    }
}
