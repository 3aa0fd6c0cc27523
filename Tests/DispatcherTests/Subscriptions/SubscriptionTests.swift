import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Subscriptions that the state of a component asks for, on virtual time.
@Suite("Subscriptions", .timeLimit(.minutes(10)))
struct SubscriptionTests {
    private let world: World
    /// A task that sleeps retains the closures of its component. So these capture `world`, and not the suite.
    private let end: Witness

    init() {
        world = World()
        end = Witness { [scheduler = world.scheduler] in scheduler.drain() }
    }

    /// A state that asks for the subscriptions in `wanted`.
    struct Screen: Equatable, Sendable {
        var wanted: [String] = []
        var received: [String] = []
        var other = 0
    }

    enum Input: Equatable, Sendable {
        case want([String])
        case receive(String)
        case touch
    }

    struct World: Sendable {
        let scheduler = VirtualScheduler()
        let log = Log()
        let starts = Guarded(0)
    }

    static let screen = StateDispatcher<World, Screen, Input>.pure { input in
        .update { screen in
            switch input {
            case .want(let names): screen.wanted = names
            case .receive(let text): screen.received.append(text)
            case .touch: screen.other += 1
            }
        }
    }

    /// Returns a subscription that logs its start and its end, and sends an input every second.
    static func ticking(_ name: String) -> Subscription<World, Input> {
        .run(id: name) { world, send in
            world.log.append("\(name) starts")
            defer { world.log.append("\(name) ends") }
            for number in 1... {
                try await world.scheduler.clock.sleep(for: .seconds(1))
                send(.receive("\(name) \(number)"))
            }
        }
    }

    private func component(
        wanting names: [String] = [], dispatcher: StateDispatcher<World, Screen, Input> = screen,
        _ subscriptions: @escaping @Sendable (Screen) -> [Subscription<World, Input>] = { $0.wanted.map(ticking) }
    ) -> Component<Screen, Input> {
        let world = world
        return Component(
            initialState: Screen(wanted: names), environment: world, executor: world.scheduler.executor,
            dispatcher: dispatcher, subscriptions: subscriptions)
    }

    // MARK: - Starting and cancelling

    @Test("Subscriptions of the initial state start in the order of their list")
    func first() {
        let component = component(wanting: ["b", "a", "c"])
        world.scheduler.advance(by: .seconds(2))
        #expect(world.log.lines == ["b starts", "a starts", "c starts"])
        #expect(component.state.received == ["b 1", "a 1", "c 1", "b 2", "a 2", "c 2"])
    }

    @Test("A change cancels old subscriptions, starts new ones and keeps the others")
    func changes() {
        let component = component(wanting: ["a", "b"])
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["c", "b"]))
        world.scheduler.advance(by: .seconds(1))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(5))
        #expect(component.state.received == ["a 1", "b 1", "b 2", "c 1"])
        #expect(world.log.lines == ["a starts", "b starts", "a ends", "c starts", "b ends", "c ends"])
    }

    @Test("A cancelled subscription restarts when the state asks for it again")
    func again() {
        let component = component(wanting: ["a"])
        world.scheduler.advance(by: .seconds(2))
        component.send(.want([]))
        component.send(.want(["a"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["a 1", "a 2", "a 1"])
        #expect(world.log.lines == ["a starts", "a ends", "a starts"])
    }

    @Test("Another order of the same subscriptions restarts none of them")
    func reordered() {
        let component = component(wanting: ["a", "b"])
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["b", "a"]))
        component.send(.want(["a", "b"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(world.log.lines == ["a starts", "b starts"])
        #expect(component.state.received == ["a 1", "b 1", "a 2", "b 2"])
    }

    @Test("Only the first of several subscriptions with the same id runs")
    func duplicates() {
        let component = component(wanting: ["a", "b"]) { [world] screen in
            screen.wanted.map { name in .every(.seconds(1), id: 1, clock: world.scheduler.clock) { .receive(name) } }
        }
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["c", "d", "e"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["a", "a"])
    }

    @Test("Equal numbers of different types are different ids")
    func typesOfIDs() {
        let component = component { [world] _ in
            [
                .every(.seconds(1), id: 1, clock: world.scheduler.clock) { .receive("Int") },
                .every(.seconds(1), id: UInt8(1), clock: world.scheduler.clock) { .receive("UInt8") },
            ]
        }
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["Int", "UInt8"])
    }

    @Test("Nil and empty ids of different types are different ids")
    func idsOfNothing() {
        let ids = [
            SubscriptionID(Int?.none), SubscriptionID(String?.none), SubscriptionID([Int]()),
            SubscriptionID([String]()), SubscriptionID("a"), SubscriptionID(String?.some("a")),
        ]
        #expect(Set(ids).count == ids.count)
        #expect(SubscriptionID(Int?.none) == SubscriptionID(Int?.none))
    }

    @Test("Ids whose type is a class are compared as the class does, also if one is of a subclass")
    func idsOfSubclasses() {
        // Unchecked: they have no stored properties.
        class Name: Hashable, @unchecked Sendable {
            static func == (left: Name, right: Name) -> Bool { true }
            func hash(into hasher: inout Hasher) {}
        }
        final class Nickname: Name, @unchecked Sendable {}
        #expect(SubscriptionID(Name()) == SubscriptionID(Nickname() as Name))
    }

    @Test("Subscriptions are computed initially and after each change, before observers are notified")
    func asking() {
        let component = component { screen in
            world.log.append("asked \(screen.other)")
            return []
        }
        component.observe { world.log.append("told \($0.other)") }
        component.send(.touch)
        component.send(.touch)
        #expect(world.log.lines == ["asked 0", "told 0", "asked 1", "told 1", "asked 2", "told 2"])
    }

    @Test("Subscriptions of a watched part are computed only when the part changes")
    func watching() {
        let component = Component(
            initialState: Screen(wanted: ["a"]), environment: world, executor: world.scheduler.executor,
            dispatcher: Self.screen, watching: \.wanted,
            subscriptions: { names in
                world.log.append("asked \(names)")
                return names.map(Self.ticking)
            })
        world.scheduler.drain()
        component.send(.touch)
        component.send(.want(["a"]))
        component.send(.want([]))
        component.send(.touch)
        world.scheduler.drain()
        #expect(world.log.lines == [#"asked ["a"]"#, "a starts", "asked []", "a ends"])
    }

    @Test("Each start of a subscription creates an environment; an input does not")
    func environments() {
        let world = world
        @Sendable func make() -> World {
            world.starts.withLock { $0 += 1 }
            return world
        }
        let component = Component(
            initialState: Screen(wanted: ["a", "b"]), environment: make(), executor: world.scheduler.executor,
            dispatcher: Self.screen, subscriptions: { $0.wanted.map(Self.ticking) })
        world.scheduler.advance(by: .seconds(3))
        #expect(world.starts.withLock { $0 } == 2)
        component.send(.want(["b", "c"]))
        world.scheduler.drain()
        #expect(world.starts.withLock { $0 } == 3)
    }

    // MARK: - Sending

    @Test("An enqueued input is dropped after its subscription is cancelled")
    func onItsWay() {
        let sends = Record<@Sendable (Input) -> Void>()
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .run(id: name) { world, send in
                    sends.append(send)
                    try await world.scheduler.clock.sleep(for: .seconds(100))
                }
            }
        }
        world.scheduler.drain()
        let send = sends.values[0]
        component.observe(\.other) { [weak component] other in
            // Inputs that are sent during a notification are enqueued.
            if other == 1 { send(.receive("on its way, and wanted")) }
            if other == 2 {
                component?.send(.want(["b"]))
                send(.receive("unwanted meanwhile"))
            }
        }
        component.observe(\.wanted) { wanted in
            if wanted == ["b"] { send(.receive("unwanted")) }
        }
        component.send(.touch)
        #expect(component.state.received == ["on its way, and wanted"])
        component.send(.touch)
        #expect(component.state.wanted == ["b"])
        send(.receive("long gone"))
        #expect(component.state.received == ["on its way, and wanted"])
    }

    @Test("Inputs that are sent before a subscription ends arrive; later ones do not")
    func afterTheEnd() {
        let sends = Record<@Sendable (Input) -> Void>()
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .run(id: name) { world, send in
                    sends.append(send)
                    world.log.append("runs")
                    send(.receive("in time"))
                }
            }
        }
        world.scheduler.drain()
        sends.values[0](.receive("late"))
        #expect(component.state.received == ["in time"])
        // The subscription has ended and the state still asks for it, so it does not restart.
        component.send(.touch)
        component.send(.want(["b", "a"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["runs", "runs"])
        component.send(.want(["b"]))
        component.send(.want(["b", "a"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["runs", "runs", "runs"])
    }

    @Test("An enqueued input arrives although its subscription has ended")
    func beforeTheEnd() {
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in .run(id: name) { _, send in send(.receive(name)) } }
        }
        // The subscription runs, sends and ends while the component notifies this observer.
        component.observe(\.other) { other in
            if other == 1 { world.scheduler.drain() }
        }
        component.send(.touch)
        #expect(component.state.received == ["a"])
    }

    @Test("An ended subscription that the state no longer asks for sends nothing")
    func afterTheEndAndUnwanted() {
        let sends = Record<@Sendable (Input) -> Void>()
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in .run(id: name) { _, send in sends.append(send) } }
        }
        world.scheduler.drain()
        component.send(.want([]))
        sends.values[0](.receive("late"))
        #expect(component.state.received == [])
    }

    @Test("A cancelled stream stops sending although its sequence does not observe cancellation")
    func streams() {
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .stream(id: name) { world in
                    DeafSequence {
                        try? await world.scheduler.clock.sleep(for: .seconds(1))
                        world.log.append("made")
                        // The sequence is finite, so that the test ends even if the cancellation fails.
                        return world.log.lines.count < 9 ? Input.receive("element") : nil
                    }
                }
            }
        }
        world.scheduler.advance(by: .seconds(2))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(9))
        #expect(component.state.received == ["element", "element"])
        #expect(world.log.lines == ["made", "made", "made"])
    }

    @Test("A cancelled timer ends although its clock does not observe cancellation")
    func deafClock() {
        struct DeafClock: Clock {
            let now = ContinuousClock.now  // No time: every sleep ends at once.
            let minimumResolution = Duration.zero
            let sleeps = Guarded(0)

            func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
                // The clock stops in the end, so that the test ends even if the cancellation fails.
                if sleeps.increment() == 9 { throw Broken() }
            }
        }
        let clock = DeafClock()
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in .every(.seconds(1), id: name, clock: clock) { .want([]) } }
        }
        world.scheduler.drain()
        #expect(component.state == Screen())
        #expect(clock.sleeps.value == 1)
    }

    @Test("A timer sends at exact intervals and skips the ones that it missed")
    func every() {
        let clock = world.scheduler.clock
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .every(.seconds(3), id: name, clock: clock) {
                    .receive("\(clock.now.offset.components.seconds)")
                }
            }
        }
        world.scheduler.advance(by: .seconds(10))
        #expect(component.state.received == ["3", "6", "9"])
        // The program is blocked from here. It wakes at 20, after it has missed 12, 15 and 18.
        clock.advance(by: .seconds(10))
        world.scheduler.drain()
        #expect(component.state.received == ["3", "6", "9", "20"])
        world.scheduler.advance(by: .seconds(3))
        #expect(component.state.received == ["3", "6", "9", "20", "23"])
    }

    @Test("A timer whose clock throws ends, and its error is reported")
    func everyOnABrokenClock() {
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in .every(.seconds(3), id: name, clock: BrokenClock(Broken())) { .touch } }
        }
        let errors = Record<any Error>()
        component.onError { error, _ in errors.append(error) }
        world.scheduler.drain()
        #expect(errors.values as? [Broken] == [Broken()])
    }

    @Test("An interval of zero traps", .promptly)
    func noInterval() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Subscription<World, Input>.every(.zero, id: 1) { .touch }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "A subscription that sends Input has an interval of 0.0 seconds, so it would never wait."))
        #expect(message.contains("To fix, give it an interval of more than zero."))
    }

    @Test("Work that an input started continues after its subscription is cancelled")
    func startedWork() {
        let dispatcher = Self.screen.combine(
            .workflow { input in
                guard case .receive(let text) = input else { return [] }
                return [
                    EnvIO { world async throws in
                        try await world.scheduler.clock.sleep(for: .seconds(5))
                        return .update { $0.received.append("\(text), later") }
                    }
                ]
            })
        let component = component(wanting: ["a"], dispatcher: dispatcher)
        world.scheduler.advance(by: .seconds(1))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(9))
        #expect(component.state.received == ["a 1", "a 1, later"])
    }

    // MARK: - Failures

    @Test("A failure is reported once with its id; the subscription does not restart")
    func failures() {
        let component = component(wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .run(id: name) { (world: World, _) in
                    world.log.append("runs")
                    throw Broken()
                }
                .widen(id: 7) { $0 }
            }
        }
        component.onError { error, source in
            world.log.append("\(source): \(error)")
            #expect(source == .subscription(SubscriptionID(7, "a")))
        }
        world.scheduler.drain()
        component.send(.touch)
        world.scheduler.drain()
        #expect(world.log.lines == ["runs", "7, a: Broken()"])
    }

    @Test("A sequence that fails or cannot be created fails its subscription")
    func failingStreams() {
        let component = component(wanting: ["a"]) { screen in
            [
                .stream(id: 1) { (_: World) throws -> AsyncStream<Input> in throw Broken() },
                .stream(id: 2) { _ in AsyncThrowingStream { throw Broken() } },
            ]
        }
        component.onError { error, id in world.log.append("\(id): \(error)") }
        world.scheduler.drain()
        #expect(world.log.lines == ["1: Broken()", "2: Broken()"])
    }

    @Test("The error of a cancelled subscription is not reported")
    func failuresOfCancelled() {
        let component = component(wanting: ["a"])
        component.onError { error, _ in world.log.append("\(error)") }
        world.scheduler.drain()
        component.send(.want([]))
        world.scheduler.drain()
        #expect(world.log.lines == ["a starts", "a ends"])
    }

    @Test("Without error observers, a failure is logged to standard error", .promptly)
    func unobservedFailures() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scheduler = VirtualScheduler()
            let component = Component(
                initialState: Screen(), environment: World(), executor: scheduler.executor, dispatcher: Self.screen,
                subscriptions: { _ in [.run(id: "a") { _, _ in throw Broken() }] })
            scheduler.drain()
            withExtendedLifetime(component) {}
        }
        #expect(
            result.standardErrorText.contains(
                """
                The subscription a of Component<Screen, Input> failed, and no observer of errors is registered: Broken()
                """))
    }

    // MARK: - Children

    struct Pair: Equatable, Sendable { var left = Screen(), right = Screen() }
    enum PairInput: Sendable {
        case left(Input)
        case right(Input)
    }
    struct Larger: Sendable { let world: World }

    @Test("Children with equal ids have separate subscriptions and use parts of the environment")
    func children() {
        let dispatcher = StateDispatcher<Larger, Pair, PairInput>.pure { input in
            switch input {
            case .left(.receive(let text)): .update { $0.left.received.append(text) }
            case .right(.receive(let text)): .update { $0.right.received.append(text) }
            case .left(.want(let names)): .update { $0.left.wanted = names }
            default: .update { _ in }
            }
        }
        let (world, asked) = (world, Screen(wanted: ["a"]))
        let component = Component(
            initialState: Pair(left: asked, right: asked), environment: Larger(world: world),
            executor: world.scheduler.executor, dispatcher: dispatcher,
            subscriptions: { pair in
                pair.left.wanted.map {
                    Self.ticking($0).widen(
                        id: "left", transformEnvironment: { $0.world }, transformInput: PairInput.left)
                }
                    + pair.right.wanted.map {
                        Self.ticking($0).widen(
                            id: "right", transformEnvironment: { $0.world }, transformInput: PairInput.right)
                    }
            })
        world.scheduler.advance(by: .seconds(1))
        component.send(.left(.want([])))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.left.received == ["a 1"])
        #expect(component.state.right.received == ["a 1", "a 2"])
    }

    @Test("Ids of widened subscriptions are compared by their whole path")
    func paths() {
        let tick = Subscription<World, Input>.run(id: "tick") { _, _ in }
        #expect(tick.id == SubscriptionID("tick"))
        #expect(tick.widen(id: "a") { $0 }.widen(id: "b") { $0 }.id == SubscriptionID("b", "a", "tick"))
        #expect(SubscriptionID("a", "b") != SubscriptionID("b", "a"))
        #expect(SubscriptionID("a", "b") != SubscriptionID("a, b"))
        #expect("\(SubscriptionID("a", 1))" == "a, 1")
    }

    // MARK: - Lifetimes

    @Test("Subscriptions do not retain the component, and end with it")
    func letGo() {
        weak var held: Witness?
        weak var freed: Component<Screen, Input>?
        do {
            let witness = Witness()
            held = witness
            let component = component(wanting: ["a", "b"]) { screen in
                withExtendedLifetime(witness) { screen.wanted.map(Self.ticking) }
            }
            freed = component
            world.scheduler.advance(by: .seconds(1))
            #expect(component.state.received == ["a 1", "b 1"])
        }
        #expect(freed == nil)
        world.scheduler.drain()
        #expect(world.log.lines.sorted() == ["a ends", "a starts", "b ends", "b starts"])
        #expect(world.scheduler.clock.sleeperCount == 0)
        #expect(held == nil)
    }

    @Test("No input arrives and no subscription starts after the component is deallocated")
    func letGoAndSending() {
        let sends = Record<@Sendable (Input) -> Void>()
        do {
            let component = component(wanting: ["a"]) { screen in
                world.log.append("asked")
                return [.run(id: "a") { _, send in sends.append(send) }]
            }
            world.scheduler.drain()
            withExtendedLifetime(component) {}
        }
        sends.values[0](.want(["b"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["asked"])
    }

    @Test("With several threads, no input arrives that the state does not ask for")
    func concurrency() async {
        struct Race: Equatable, Sendable { var generation = 0, strays = 0, arrived = 0 }
        enum RaceInput: Sendable {
            case next
            case tick(Int)
        }
        let dispatcher = StateDispatcher<Void, Race, RaceInput>.pure { input in
            .update { race in
                switch input {
                case .next: race.generation += 1
                case .tick(let generation):
                    race.arrived += 1
                    if generation != race.generation { race.strays += 1 }
                }
            }
        }
        let component = Component(
            initialState: Race(), environment: (), dispatcher: dispatcher,
            subscriptions: { race in
                [
                    .run(id: race.generation) { [generation = race.generation] _, send in
                        while !Task.isCancelled {
                            send(.tick(generation))
                            await Task.yield()
                        }
                    }
                ]
            })
        onThreads(4) { _ in for _ in 0..<250 { component.send(.next) } }
        // Waits for one more input, so that the check does not miss a late one.
        let arrived = component.state.arrived
        for await race in component.states() where race.arrived > arrived { break }
        #expect(component.state.strays == 0)
        #expect(component.state.generation == 1_000)
    }
}
