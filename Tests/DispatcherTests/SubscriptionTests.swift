import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What a component does with the subscriptions that its state asks for, on virtual time.
@Suite("Subscriptions", .timeLimit(.minutes(10)))
struct SubscriptionTests {
    private let world: World
    private let end: AtEnd

    init() {
        world = World()
        end = AtEnd { [scheduler = world.scheduler] in scheduler.drain() }
    }

    /// Asks for the subscriptions that it names.
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

    /// Writes when it starts and ends, and sends something every second.
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
        _ world: World, wanting names: [String] = [],
        _ subscriptions: @escaping @Sendable (Screen) -> [Subscription<World, Input>] = { $0.wanted.map(ticking) }
    ) -> Component<Screen, Input> {
        Component(
            initialState: Screen(wanted: names), environment: world, executor: world.scheduler.executor,
            dispatcher: Self.screen, subscriptions: subscriptions)
    }

    // MARK: - As the state asks

    @Test("What the first state asks for is started, in the order in which it is listed")
    func first() {
        let world = self.world
        let component = component(world, wanting: ["b", "a", "c"])
        world.scheduler.advance(by: .seconds(2))
        #expect(world.log.lines == ["b starts", "a starts", "c starts"])
        #expect(component.state.received == ["b 1", "a 1", "c 1", "b 2", "a 2", "c 2"])
    }

    @Test("What is asked for no longer is cancelled, what is new is started, and the rest goes on")
    func changes() {
        let world = self.world
        let component = component(world, wanting: ["a", "b"])
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["c", "b"]))
        world.scheduler.advance(by: .seconds(1))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(5))
        #expect(component.state.received == ["a 1", "b 1", "b 2", "c 1"])
        #expect(world.log.lines == ["a starts", "b starts", "a ends", "c starts", "b ends", "c ends"])
    }

    @Test("What is asked for again is started anew")
    func again() {
        let world = self.world
        let component = component(world, wanting: ["a"])
        world.scheduler.advance(by: .seconds(2))
        component.send(.want([]))
        component.send(.want(["a"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["a 1", "a 2", "a 1"])
        #expect(world.log.lines == ["a starts", "a ends", "a starts"])
    }

    @Test("To list the same ones in another order changes nothing")
    func reordered() {
        let world = self.world
        let component = component(world, wanting: ["a", "b"])
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["b", "a"]))
        component.send(.want(["a", "b"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(world.log.lines == ["a starts", "b starts"])
        #expect(component.state.received == ["a 1", "b 1", "a 2", "b 2"])
    }

    @Test("Of those that are listed under one id the first is taken")
    func duplicates() {
        let world = self.world
        let component = component(world, wanting: ["a", "b"]) { screen in
            screen.wanted.map { name in .every(.seconds(1), id: 1, clock: world.scheduler.clock) { .receive(name) } }
        }
        world.scheduler.advance(by: .seconds(1))
        component.send(.want(["c", "d", "e"]))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["a", "a"])
    }

    @Test("Ids of one number and different types are different")
    func typesOfIDs() {
        let world = self.world
        let component = component(world) { _ in
            [
                .every(.seconds(1), id: 1, clock: world.scheduler.clock) { .receive("Int") },
                .every(.seconds(1), id: UInt8(1), clock: world.scheduler.clock) { .receive("UInt8") },
            ]
        }
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.received == ["Int", "UInt8"])
    }

    @Test("Ids that are absent or empty are those of their types")
    func idsOfNothing() {
        let ids = [
            SubscriptionID(Int?.none), SubscriptionID(String?.none), SubscriptionID([Int]()),
            SubscriptionID([String]()),
            SubscriptionID("a"), SubscriptionID(String?.some("a")),
        ]
        #expect(Set(ids).count == ids.count)
        #expect(SubscriptionID(Int?.none) == SubscriptionID(Int?.none))
    }

    @Test("The state is asked once at first and after each change, before its observers are told")
    func asking() {
        let world = self.world
        let component = component(world) { screen in
            world.log.append("asked \(screen.other)")
            return []
        }
        component.observe { world.log.append("told \($0.other)") }
        component.send(.touch)
        component.send(.touch)
        #expect(world.log.lines == ["asked 0", "told 0", "asked 1", "told 1", "asked 2", "told 2"])
    }

    @Test("Of a part that is watched the subscriptions are asked for when it has changed")
    func watching() {
        let world = self.world
        let component = Component(
            initialState: Screen(wanted: ["a"]), environment: world, executor: world.scheduler.executor,
            dispatcher: Self.screen, watching: \.wanted,
            subscriptions: { names in
                world.log.append("asked \(names)")
                return names.map(Self.ticking)
            })
        component.send(.touch)
        component.send(.want(["a"]))
        component.send(.want([]))
        component.send(.touch)
        world.scheduler.drain()
        #expect(world.log.lines == [#"asked ["a"]"#, "asked []", "a starts", "a ends"])
    }

    @Test("The environment is made anew for each start, and not for an input")
    func environments() {
        let world = self.world
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

    // MARK: - What they send

    /// Keeps what a subscription sends by.
    private final class Wire: Sendable {
        let sends = Record<@Sendable (Input) -> Void>()
    }

    @Test("What is on its way when the state asks for it no longer does not arrive")
    func onItsWay() {
        let (world, wire) = (self.world, Wire())
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .run(id: name) { world, send in
                    wire.sends.append(send)
                    try await world.scheduler.clock.sleep(for: .seconds(100))
                }
            }
        }
        world.scheduler.drain()
        let send = wire.sends.values[0]
        component.observe(\.other) { [weak component] other in
            // What is sent while a change is being told of has to wait its turn.
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

    @Test("What was sent before a subscription has ended arrives, what is sent later does not")
    func afterTheEnd() {
        let (world, wire) = (self.world, Wire())
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .run(id: name) { world, send in
                    wire.sends.append(send)
                    world.log.append("runs")
                    send(.receive("in time"))
                }
            }
        }
        world.scheduler.drain()
        wire.sends.values[0](.receive("late"))
        #expect(component.state.received == ["in time"])
        // Ended, and still asked for: it is not started again.
        component.send(.touch)
        component.send(.want(["b", "a"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["runs", "runs"])
        component.send(.want(["b"]))
        component.send(.want(["b", "a"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["runs", "runs", "runs"])
    }

    @Test("What was sent before the end arrives also where it had to wait its turn")
    func beforeTheEnd() {
        let world = self.world
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in .run(id: name) { _, send in send(.receive(name)) } }
        }
        // The subscription runs, sends and ends while the component tells of something else.
        component.observe(\.other) { other in
            if other == 1 { world.scheduler.drain() }
        }
        component.send(.touch)
        #expect(component.state.received == ["a"])
    }

    @Test("Nothing arrives of an ended one that is sent when the state does not ask for it, either")
    func afterTheEndAndUnwanted() {
        let (world, wire) = (self.world, Wire())
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in .run(id: name) { _, send in wire.sends.append(send) } }
        }
        world.scheduler.drain()
        component.send(.want([]))
        wire.sends.values[0](.receive("late"))
        #expect(component.state.received == [])
    }

    @Test("A sequence sends its elements, and is cancelled where it does not look at cancellation itself")
    func streams() {
        struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let world: World
            // They end, so that the test does when nobody cancels them.
            var left = 9

            func makeAsyncIterator() -> Numbers { self }

            mutating func next() async -> Input? {
                try? await world.scheduler.clock.sleep(for: .seconds(1))
                world.log.append("made")
                left -= 1
                return left > 0 ? .receive("element") : nil
            }
        }
        let world = self.world
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in .stream(id: name) { world in Numbers(world: world) } }
        }
        world.scheduler.advance(by: .seconds(2))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(9))
        #expect(component.state.received == ["element", "element"])
        #expect(world.log.lines == ["made", "made", "made"])
    }

    @Test("A clock sends at its intervals exactly, and makes up for nothing that was missed")
    func every() {
        let world = self.world
        let clock = world.scheduler.clock
        let component = component(world, wanting: ["a"]) { screen in
            screen.wanted.map { name in
                .every(.seconds(3), id: name, clock: clock) {
                    .receive("\(clock.now.offset.components.seconds)")
                }
            }
        }
        world.scheduler.advance(by: .seconds(10))
        #expect(component.state.received == ["3", "6", "9"])
        // The program is held up from here: it wakes at 20, late for 12, 15 and 18.
        clock.advance(by: .seconds(10))
        world.scheduler.drain()
        #expect(component.state.received == ["3", "6", "9", "20"])
        world.scheduler.advance(by: .seconds(3))
        #expect(component.state.received == ["3", "6", "9", "20", "23"])
    }

    @Test("An interval of nothing is a mistake", .promptly)
    func noInterval() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Subscription<World, Input>.every(.zero, id: 1) { .touch }
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            message.contains(
                "A subscription that sends Input has an interval of 0.0 seconds, so it would never wait."))
        #expect(message.contains("To fix, give it an interval of more than zero."))
    }

    @Test("What an input has started goes on when the subscription that sent it is cancelled")
    func startedWork() {
        let world = self.world
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
        let component = Component(
            initialState: Screen(wanted: ["a"]), environment: world, executor: world.scheduler.executor,
            dispatcher: dispatcher, subscriptions: { $0.wanted.map(Self.ticking) })
        world.scheduler.advance(by: .seconds(1))
        component.send(.want([]))
        world.scheduler.advance(by: .seconds(9))
        #expect(component.state.received == ["a 1", "a 1, later"])
    }

    // MARK: - Failing

    @Test("A failure is told of with the id, once, and the subscription is not started again")
    func failures() {
        let world = self.world
        let component = component(world, wanting: ["a"]) { screen in
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

    @Test("A sequence that fails, or cannot be made, is a subscription that does")
    func failingStreams() {
        let world = self.world
        let component = component(world, wanting: ["a"]) { screen in
            [
                .stream(id: 1) { (_: World) throws -> AsyncStream<Input> in throw Broken() },
                .stream(id: 2) { _ in AsyncThrowingStream { throw Broken() } },
            ]
        }
        component.onError { error, id in world.log.append("\(id): \(error)") }
        world.scheduler.drain()
        #expect(world.log.lines == ["1: Broken()", "2: Broken()"])
    }

    @Test("The failure of one that was cancelled is nobody's concern")
    func failuresOfCancelled() {
        let world = self.world
        let component = component(world, wanting: ["a"])
        component.onError { error, _ in world.log.append("\(error)") }
        world.scheduler.drain()
        component.send(.want([]))
        world.scheduler.drain()
        #expect(world.log.lines == ["a starts", "a ends"])
    }

    @Test("A failure that nobody observes is written to standard error", .promptly)
    func unobservedFailures() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scheduler = VirtualScheduler()
            let component = Component(
                initialState: Screen(), environment: World(), executor: scheduler.executor, dispatcher: Self.screen,
                subscriptions: { _ in [.run(id: "a") { _, _ in throw Broken() }] })
            scheduler.drain()
            withExtendedLifetime(component) {}
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            message.contains(
                "The subscription a of Component<Screen, Input> failed, and nobody observes errors: Broken()"))
    }

    // MARK: - Children

    struct Pair: Equatable, Sendable { var left = Screen(), right = Screen() }
    enum PairInput: Sendable {
        case left(Input)
        case right(Input)
    }
    struct Larger: Sendable { let world: World }

    @Test("Children have subscriptions of their own, whatever their ids, and use their part of the environment")
    func children() {
        let world = self.world
        let dispatcher = StateDispatcher<Larger, Pair, PairInput>.pure { input in
            switch input {
            case .left(.receive(let text)): .update { $0.left.received.append(text) }
            case .right(.receive(let text)): .update { $0.right.received.append(text) }
            case .left(.want(let names)): .update { $0.left.wanted = names }
            default: .update { _ in }
            }
        }
        let asked = Screen(wanted: ["a"])
        let component = Component(
            initialState: Pair(left: asked, right: asked), environment: Larger(world: world),
            executor: world.scheduler.executor, dispatcher: dispatcher,
            subscriptions: { pair in
                pair.left.wanted.map(Self.ticking)
                    .widen(id: "left", transformEnvironment: \.world, transformInput: PairInput.left)
                    + pair.right.wanted.map(Self.ticking)
                    .widen(id: "right", transformEnvironment: \.world, transformInput: PairInput.right)
            })
        world.scheduler.advance(by: .seconds(1))
        component.send(.left(.want([])))
        world.scheduler.advance(by: .seconds(1))
        #expect(component.state.left.received == ["a 1"])
        #expect(component.state.right.received == ["a 1", "a 2"])
    }

    @Test("The path of an id tells a child's child from a child of the same name")
    func paths() {
        let tick = Subscription<World, Input>.run(id: "tick") { _, _ in }
        #expect(tick.id == SubscriptionID("tick"))
        #expect(tick.widen(id: "a") { $0 }.widen(id: "b") { $0 }.id == SubscriptionID("b", "a", "tick"))
        #expect([tick].widen(id: "a", transformInput: { $0 })[0].id == tick.widen(id: "a") { $0 }.id)
        #expect(SubscriptionID("a", "b") != SubscriptionID("b", "a"))
        #expect(SubscriptionID("a", "b") != SubscriptionID("a, b"))
        #expect("\(SubscriptionID("a", 1))" == "a, 1")
    }

    // MARK: - Lifetimes

    @Test("Subscriptions do not keep the component alive, and end with it")
    func letGo() {
        final class Witness: Sendable {}
        let world = self.world
        weak var held: Witness?
        weak var freed: Component<Screen, Input>?
        do {
            let witness = Witness()
            held = witness
            let component = component(world, wanting: ["a", "b"]) { screen in
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

    @Test("Nothing arrives, and nothing starts, when the component has been let go of")
    func letGoAndSending() {
        let (world, wire) = (self.world, Wire())
        do {
            let component = component(world, wanting: ["a"]) { screen in
                world.log.append("asked")
                return [.run(id: "a") { _, send in wire.sends.append(send) }]
            }
            world.scheduler.drain()
            withExtendedLifetime(component) {}
        }
        wire.sends.values[0](.want(["b"]))
        world.scheduler.drain()
        #expect(world.log.lines == ["asked"])
    }

    @Test("From several threads nothing arrives that the state has not asked for")
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
        // One more has to arrive, so that none is left out by having ended too early.
        let arrived = component.state.arrived
        for await race in component.states where race.arrived > arrived { break }
        #expect(component.state.strays == 0)
        #expect(component.state.generation == 1_000)
    }
}
