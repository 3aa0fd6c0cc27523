import Dispatch
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// An environment that reads the state of its component.
@Suite("Component: the state in the environment", .timeLimit(.minutes(10)))
struct StateReaderTests {
    private typealias Reading = StateDispatcher<@Sendable () -> Int, Int, Int>

    private static let adding = Reading.pure { number in .update { $0 += number } }

    /// A counter whose asynchronous actions append the state that they read to `log`.
    private static func reading(_ log: Record<Int>) -> Reading {
        .workflow { number in
            [
                .pure(.update { $0 += number }),
                EnvIO { count async in
                    log.append(count())
                    return .pure(())
                },
            ]
        }
    }

    @Test("An action reads the change of the action before it")
    func workflow() {
        let log = Record<Int>()
        let dispatcher = Reading.workflow { number in
            let read = EnvIO<@Sendable () -> Int, any Error, State<Int, Void>> { count in
                log.append(count())
                return .update { $0 += number }
            }
            return [read, read, read]
        }
        let component = Component(initialState: 0, environment: { state in state }, dispatcher: dispatcher)
        component.send(5)
        #expect(log.values == [0, 5, 10])
        #expect(component.state == 15)
    }

    @Test("The environment is evaluated for each action")
    func evaluations() {
        let made = Ref(0)
        let dispatcher = StateDispatcher<Int, Int, Int>.effectful { _ in EnvIO { seen in .update { $0 += seen + 1 } } }
        let component = Component(
            initialState: 0,
            environment: { state in
                made.modify { $0 += 1 }
                return state()
            }, dispatcher: dispatcher)
        for input in 0..<3 { component.send(input) }
        // 0 + (0 + 1), 1 + (1 + 1), 3 + (3 + 1): each environment was made of the state at its time.
        #expect(component.state == 7)
        #expect(made.get() == 3)
    }

    @Test("A function that is passed for an environment of any type is that environment")
    func functions() throws {
        let log = Log()
        let dispatcher = StateDispatcher<Any, Int, Int>.effectful { _ in
            EnvIO { environment in
                log.append("\(type(of: environment))")
                return .pure(())
            }
        }
        let function: @Sendable (@escaping @Sendable () -> Int) -> Int = { state in state() }
        Component(initialState: 0, environment: function, dispatcher: dispatcher).send(1)
        #expect(log.lines.count == 1)
        #expect(log.lines.allSatisfy { $0.contains("->") })
    }

    // MARK: - Where it may be called

    @Test("A widened dispatcher reads the state through its part of the environment")
    func widened() {
        struct Pair: Sendable { var left = 0, right = 0 }
        struct Readers: Sendable { var left, right: @Sendable () -> Int }
        enum Side: AutoPrism, Sendable {
            case left(Int)
            case right(Int)
        }

        let (left, right) = (Record<Int>(), Record<Int>())
        func reading(_ log: Record<Int>) -> Reading {
            .effectful { number in
                EnvIO { count in
                    log.append(count())
                    return .update { $0 += number }
                }
            }
        }
        let dispatcher = StateDispatcher<Readers, Pair, Side>.combine {
            reading(left).widen(
                transformEnvironment: \.left, transformState: \.left, transformInput: Side.prism(for: Side.left))
            reading(right).widen(
                transformEnvironment: \.right, transformState: \.right, transformInput: Side.prism(for: Side.right))
        }
        let component = Component(
            initialState: Pair(), environment: { state in Readers(left: { state().left }, right: { state().right }) },
            dispatcher: dispatcher)
        component.send(.left(1))
        component.scope(state: \.right, input: Side.right).send(10)
        component.send(.left(1))
        component.send(.right(1))
        #expect(left.values == [0, 1])
        #expect(right.values == [0, 10])
    }

    @Test("Observers and what they send read the state that they are notified of")
    func observers() {
        let (log, seen) = (Record<Int>(), Record<Int>())
        // The asynchronous actions begin when it is drained. Each then commits, which notifies the observers as well.
        let scheduler = VirtualScheduler()
        let reader = Guarded<(@Sendable () -> Int)?>(nil)
        let component = Component(
            initialState: 0,
            environment: { state in
                reader.value = state
                return state
            }, executor: scheduler.executor, dispatcher: Self.reading(log))
        component.observe { [weak component] count in
            if let state = reader.value { seen.append(state()) }
            if count == 1 { component?.send(1) }
        }
        component.send(1)
        component.scope(state: \.self, input: { $0 }).observe { _ in seen.append(reader.value?() ?? -1) }
        component.send(1)
        #expect(component.state == 3)
        #expect(seen.values == [2, 2, 3, 3])
        scheduler.drain()
        #expect(log.values == [3, 3, 3])
        // The observer of the scope is notified of changes alone.
        #expect(seen.values.dropFirst(4) == [3, 3, 3])
    }

    @Test("Work that a policy delays reads the state when it runs")
    func policies() {
        let scheduler = VirtualScheduler()
        let log = Record<Int>()
        let delayed = Self.reading(log).policy(.debounce(for: .seconds(1), clock: scheduler.clock))
        let direct = Reading.pure { number in .update { $0 += 100 * number } }
        let component = Component(
            initialState: 0, environment: { state in state }, executor: scheduler.executor,
            dispatcher: direct.combine(delayed))
        component.send(1)
        component.send(1)
        scheduler.advance(by: .seconds(1))
        #expect(log.values == [201])
    }

    private static func component(
        isWatching: Bool, _ scheduler: VirtualScheduler, _ subscription: Subscription<@Sendable () -> Int, Int>
    ) -> Component<Int, Int> {
        isWatching
            ? Component(
                initialState: 0, environment: { state in state }, executor: scheduler.executor,
                dispatcher: adding, watching: \.description.count, subscriptions: { _ in [subscription] })
            : Component(
                initialState: 0, environment: { state in state }, executor: scheduler.executor,
                dispatcher: adding, subscriptions: { _ in [subscription] })
    }

    @Test("Subscriptions read the state", arguments: [false, true])
    func subscriptions(isWatching: Bool) {
        let (scheduler, log) = (VirtualScheduler(), Record<Int>())
        let component = Self.component(
            isWatching: isWatching, scheduler,
            .run(id: "tick") { state, send in
                for _ in 0..<2 {
                    try await scheduler.clock.sleep(for: .seconds(1))
                    log.append(state())
                    send(10)
                }
            })
        component.send(1)
        scheduler.advance(by: .seconds(2))
        #expect(log.values == [1, 11])
        #expect(component.state == 21)
    }

    @Test("Threads that send and threads that read neither deadlock nor see a state that never was")
    func threads() async throws {
        struct Pair: Equatable, Sendable { var left = 0, right = 0 }
        let log = Record<Pair>()
        let reader = Guarded<(@Sendable () -> Pair)?>(nil)
        let dispatcher = StateDispatcher<@Sendable () -> Pair, Pair, Int>.workflow { number in
            [
                .pure(
                    .update {
                        $0.left += 1
                        $0.right += 1
                    }),
                EnvIO { state in
                    if number % 100 == 0 { log.append(state()) }
                    reader.value = state
                    return .pure(())
                },
            ]
        }
        let component = Component(initialState: Pair(), environment: { state in state }, dispatcher: dispatcher)
        component.observe { _ in if let state = reader.value, state().left % 500 == 0 { log.append(state()) } }
        component.send(0)
        onThreads(4) { thread in
            for number in 0..<1_000 {
                if thread < 2 {
                    component.send(number)
                } else if let state = reader.value, number % 10 == 0 {
                    log.append(state())
                }
            }
        }
        try await component.settled()
        #expect(log.values.allSatisfy { $0.left == $0.right })
        #expect(component.state == Pair(left: 2_001, right: 2_001))
    }

    // MARK: - Lifetimes

    @Test("The environment does not retain the component, and a reader that outlives it returns the last state")
    func lifetime() throws {
        let reader = Guarded<(@Sendable () -> Int)?>(nil)
        let counter = Tracked.Counter()
        weak var released: Component<Int, Int>?
        do {
            let held = Tracked(counter)
            let dispatcher = Reading.effectful { number in
                EnvIO { state in
                    withExtendedLifetime(held) { reader.value = state }
                    return .update { $0 += number }
                }
            }
            let component = Component(initialState: 1, environment: { state in state }, dispatcher: dispatcher)
            component.observe { _ in withExtendedLifetime(held) {} }
            component.send(2)
            released = component
        }
        #expect(released == nil)
        // The reader retains the state alone, and neither the dispatcher nor observers.
        #expect(counter.count == 0)
        let state = try #require(reader.value)
        #expect(state() == 3)
    }

    @Test("With subscriptions, the environment does not retain the component either", arguments: [false, true])
    func lifetimeOfSubscriptions(isWatching: Bool) {
        let (scheduler, counter) = (VirtualScheduler(), Tracked.Counter())
        weak var released: Component<Int, Int>?
        do {
            let held = Tracked(counter)
            let component = Self.component(
                isWatching: isWatching, scheduler,
                .run(id: 1) { state, _ in
                    withExtendedLifetime(held) { _ = state() }
                    try await scheduler.clock.sleep(for: .seconds(1_000))
                })
            component.send(1)
            scheduler.drain()
            released = component
        }
        #expect(released == nil)
        scheduler.drain()
        #expect(counter.count == 0)
    }

    // MARK: - Misuse

    @Test("Reading from within `update` traps", .promptly)
    func readingWithinAChange() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let dispatcher = StateDispatcher<@Sendable () -> Int, Int, Bool>.effectful { _ in
                EnvIO { state in .update { $0 = state() + 1 } }
            }
            Component(initialState: 0, environment: { state in state }, dispatcher: dispatcher).send(true)
        }
        #expect(
            result.standardErrorText.contains(
                """
                The state of Component<Int, Bool> was read through its environment from inside one of its own \
                transitions. To fix, read the state before `update` and pass the value on, or use the state that \
                `update` receives.
                """))
    }

    @Test("Two components whose environments read each other within updates trap instead of deadlocking", .promptly)
    func cycle() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let readers = [0, 1].map { _ in Guarded<(@Sendable () -> Int)?>(nil) }
            let entered = DispatchGroup()
            for _ in readers { entered.enter() }
            let components = [0, 1].map { index in
                Component(
                    initialState: 0,
                    environment: { state in
                        readers[index].value = state
                        return state
                    },
                    dispatcher: StateDispatcher<@Sendable () -> Int, Int, Bool>.effectful { isCrossing in
                        EnvIO { _ in
                            .update { number in
                                if !isCrossing { return }
                                entered.leave()
                                // Both threads are within a state update from here on.
                                entered.wait()
                                number = readers[1 - index].value?() ?? 0
                            }
                        }
                    })
            }
            for component in components { component.send(false) }
            onThreads(2) { thread in components[thread].send(true) }
        }
        #expect(
            result.standardErrorText.contains(
                "Neither would ever end. To fix, read the other state before the transition"))
    }
}
