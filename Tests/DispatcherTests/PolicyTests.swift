import Dispatcher
import DispatcherLaws
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Dispatchers with policies, in components on virtual time.
@Suite("Policies", .timeLimit(.minutes(10)))
struct PolicyTests {
    private let world: World
    private let end: Witness

    init() {
        world = World()
        end = Witness { [scheduler = world.scheduler] in scheduler.drain() }
    }

    /// An input whose work waits for `seconds`, and appends `name` when it begins and ends.
    struct Job: Equatable, Sendable {
        var name: String
        var seconds = 1
        var file = ""
    }

    struct World: Sendable {
        let scheduler = VirtualScheduler()
        let log = Log()

        var seconds: Int64 { scheduler.clock.now.offset.components.seconds }

        func sleep(_ seconds: Int) async throws {
            try await scheduler.clock.sleep(for: .seconds(seconds))
        }

        func component<S: Sendable, Input: Sendable>(
            _ state: S, _ dispatcher: StateDispatcher<World, S, Input>
        ) -> Component<S, Input> {
            Component(initialState: state, environment: self, executor: scheduler.executor, dispatcher: dispatcher)
        }

        func advance(_ seconds: Int) { scheduler.advance(by: .seconds(seconds)) }
    }

    typealias Jobs = StateDispatcher<World, [String], Job>

    /// Two actions: one that begins at once, and one that waits.
    static let jobs = Jobs.workflow { job in
        [
            EnvIO { world in .update { $0.append("\(job.name) begins at \(world.seconds)") } },
            EnvIO { world async throws in
                try await world.sleep(job.seconds)
                return .update { [seconds = world.seconds] in $0.append("\(job.name) ends at \(seconds)") }
            },
        ]
    }

    private func run(
        _ dispatcher: Jobs, _ script: (World, Component<[String], Job>) -> Void
    ) -> [String] {
        let world = World()
        let component = world.component([], dispatcher)
        script(world, component)
        return component.state
    }

    // MARK: - Each policy

    @Test(
        "Under throttle, an older input does not win because an observer is slower than the interval",
        arguments: [false, true])
    func throttleBehindASlowObserver(latest: Bool) {
        typealias Numbers = StateDispatcher<World, [Int], Int>
        let append = Numbers.pure { number in .update { $0.append(number) } }
        let clock = world.scheduler.clock
        let throttled = Numbers.workflow { number in number == 0 ? [] : append.on(number) }
            .policy(.throttle(for: .seconds(10), latest: latest, clock: clock))
        let others = Numbers.workflow { number in number == 0 ? append.on(number) : [] }
        let component = world.component([], throttled.combine(others))
        component.observe { [weak component, world] state in
            guard state.last == 0 else { return }
            component?.send(3)
            // While the observer is called, the timer of 2 fires, and another interval passes.
            for _ in 1...2 { onThreads(1) { _ in world.advance(10) } }
        }
        for number in [1, 2, 0] { component.send(number) }
        #expect(component.state == [1, 0, latest ? 3 : 2])
    }

    @Test("Under concurrent, a combined action still waits for the actions before it")
    func concurrent() {
        let follower = Jobs.pure { job in .update { $0.append("after \(job.name)") } }
        let seen = run(Self.jobs.policy(.concurrent).combine(follower)) { world, component in
            component.send(Job(name: "a", seconds: 3))
            component.send(Job(name: "b", seconds: 1))
            world.advance(9)
        }
        #expect(
            seen == ["a begins at 0", "b begins at 0", "b ends at 1", "after b", "a ends at 3", "after a"])
    }

    @Test("A stream under a policy commits each change as it comes, and is cancelled with its work")
    func streams() {
        let ticks = Jobs.stream { job, world in
            DeafSequence<State<[String], Void>> {
                try await world.sleep(1)
                return .update { [seconds = world.seconds] in $0.append("\(job.name) \(seconds)") }
            }
        }
        let seen = run(ticks.policy(.latest)) { world, component in
            component.send(Job(name: "a"))
            world.advance(2)
            let second = component.send(Job(name: "b"))
            world.advance(2)
            second.cancel()
            world.advance(2)
        }
        #expect(seen == ["a 1", "a 2", "b 3", "b 4"])
    }

    // MARK: - Places

    /// The ways to derive a dispatcher from another one, each without a visible change of its behavior.
    enum Making: CaseIterable, Sendable {
        case environment, state, input, stateAndInput, all
        case handleError, onChange
        /// Another dispatcher with the same policy.
        case again

        func callAsFunction(_ child: Jobs) -> Jobs {
            let environment = { @Sendable (world: World) in world }
            let (state, input) = (Lens<[String], [String]>.identity, Prism<Job, Job>.identity)
            return switch self {
            case .environment: child.widen(transformEnvironment: environment)
            case .state: child.widen(transformState: state)
            case .input: child.widen(transformInput: input)
            case .stateAndInput: child.widen(transformState: state, transformInput: input)
            case .all: child.widen(transformEnvironment: environment, transformState: state, transformInput: input)
            case .handleError: child.handleError { _, _ in .update { _ in } }
            case .onChange: child.onChange(of: \.count) { _, _ in .update { _ in } }
            case .again: PolicyTests.jobs.policy(.first, id: { $0.file })
            }
        }
    }

    @Test(
        "Each derived dispatcher has separate work, also with nested policies",
        arguments: Making.allCases, [false, true])
    func derivedPlaces(_ making: Making, isNested: Bool) {
        let first = Self.jobs.policy(.first, id: { $0.file })
        let child = isNested ? first.policy(.queued, id: { $0.name }) : first
        let seen = run(child.combine(making(child)).combine(making(child))) { world, component in
            component.send(Job(name: "a"))
            #expect(component.send(Job(name: "ignored")).isCancelled)
            world.advance(1)
        }
        #expect(seen == Array(repeating: "a begins at 0", count: 3) + Array(repeating: "a ends at 1", count: 3))
    }

    struct Row: Equatable, Identifiable, Sendable { var id: Int, log: [String] = [] }
    struct Table: Equatable, Sendable { var rows: [Row] = [] }
    enum TableInput: AutoPrism {
        case row(Int, Job)
        case remove(Int)
        case add(Int)
    }

    static let table = StateDispatcher<World, Table, TableInput>.pure { input in
        .update { table in
            switch input {
            case .row: break
            case .remove(let id): table.rows.removeAll { $0.id == id }
            case .add(let id): table.rows.append(Row(id: id))
            }
        }
    }

    @Test(
        "Each element has separate work, also by a key path; a removed element's work changes nothing",
        arguments: [false, true])
    func elements(hasKeyPath: Bool) {
        let row = Self.jobs.widen(transformState: \Row.log).policy(.first)
        let input = TableInput.prism(for: TableInput.row)
        let rows =
            hasKeyPath
            ? row.forEach(state: \Table.rows, input: input)
            : row.forEach(state: Lens(\Table.rows), id: \.id, input: input)
        let world = self.world
        let component = world.component(Table(), Self.table.combine(rows))
        for id in 1...3 { component.send(.add(id)) }
        for id in 1...3 { component.send(.row(id, Job(name: "a", seconds: 2))) }
        #expect(component.send(.row(2, Job(name: "ignored"))).isCancelled)
        component.send(.remove(1))
        world.advance(2)
        let done = ["a begins at 0", "a ends at 2"]
        #expect(component.state.rows == [Row(id: 2, log: done), Row(id: 3, log: done)])
    }

    @Test("A limit inside a forEach counts for each element, and one outside counts for all", arguments: [true, false])
    func limitsOfElements(isInside: Bool) {
        let (limit, input) = (Policy.concurrent(limit: 2), TableInput.prism(for: TableInput.row))
        let row = Self.jobs.widen(transformState: \Row.log)
        let rows =
            isInside
            ? row.policy(limit).forEach(state: \Table.rows, input: input)
            : row.forEach(state: \Table.rows, input: input).policy(limit)
        let component = world.component(Table(rows: [Row(id: 1), Row(id: 2)]), rows)
        for name in ["a", "b", "c"] {
            for id in 1...2 { component.send(.row(id, Job(name: name))) }
        }
        let counts = (0..<3).map { _ in
            world.advance(1)
            return component.state.rows.map { row in row.log.count { $0.contains("ends") } }
        }
        #expect(counts == (isInside ? [[2, 2], [3, 3], [3, 3]] : [[1, 1], [2, 2], [3, 3]]))
    }

    @Test("Components that share a dispatcher share no work")
    func components() {
        let dispatcher = Self.jobs.policy(.first)
        let world = self.world
        let (one, other) = (world.component([], dispatcher), world.component([], dispatcher))
        one.send(Job(name: "a"))
        #expect(!other.send(Job(name: "b")).isCancelled)
        world.advance(1)
        #expect(one.state == ["a begins at 0", "a ends at 1"])
        #expect(other.state == ["b begins at 0", "b ends at 1"])
    }

    // MARK: - Order

    @Test(
        "Work under a policy begins in order, without waiting or delaying other actions"
    )
    func order() {
        func note(_ text: String) -> Jobs { .pure { _ in .update { $0.append(text) } } }
        let waiting = Jobs.effectful { _ in
            EnvIO { world async throws in
                try await world.sleep(2)
                return .update { $0.append("waited") }
            }
        }
        let seen = run(
            note("before").combine(Self.jobs.policy(.latest)).combine(note("between")).combine(waiting)
                .combine(Self.jobs.policy(.queued)).combine(note("last"))
        ) { world, component in
            component.send(Job(name: "a", seconds: 5))
            #expect(component.state == ["before", "a begins at 0", "between", "a begins at 0"])
            world.advance(9)
        }
        #expect(seen.dropFirst(4) == ["waited", "last", "a ends at 5", "a ends at 5"])
    }

    @Test("A failure ends only its own workflow, inside and outside a policy")
    func failures() {
        let failing = Jobs.effectful { _ in .fail(Broken()) }
        let after = Jobs.pure { _ in .update { $0.append("after") } }
        let world = self.world
        let component = world.component(
            [], failing.policy(.latest).combine(after).combine(failing).combine(after).combine(Self.jobs.policy(.first))
        )
        component.onError { error, _ in world.log.append("\(error)") }
        component.send(Job(name: "a"))
        world.advance(1)
        #expect(component.state == ["after", "a begins at 0", "a ends at 1"])
        #expect(world.log.lines == ["Broken()", "Broken()"])
    }

    @Test("Synchronous actions under a policy commit before send returns")
    func synchronous() {
        let pure = Jobs.pure { job in .update { $0.append(job.name) } }
        for policy in [Policy.queued, .latest, .first] {
            let seen = run(pure.policy(policy)) { _, component in
                for name in ["a", "b", "c"] {
                    #expect(!component.send(Job(name: name)).isCancelled)
                }
                #expect(component.state == ["a", "b", "c"])
            }
            #expect(seen == ["a", "b", "c"])
        }
    }

    // MARK: - Policies within policies

    @Test("Work that an observer unblocks by cancelling begins after the current input")
    func beginningWithinATurn() {
        let notes = Jobs.workflow { job in
            job.name == "notes" ? ["one", "two"].map { note in .pure(.update { $0.append(note) }) } : []
        }
        let nested = Jobs.workflow { job in job.name == "notes" ? [] : Self.jobs.on(job) }
            .policy(.queued, id: { $0.file }).policy(.queued, id: { $0.name })
        let world = self.world
        let component = world.component([], notes.combine(nested))
        component.send(Job(name: "a", file: "x"))
        let waiting = component.send(Job(name: "b", file: "x"))
        component.send(Job(name: "b", file: "y"))
        component.observe { if $0.last == "one" { waiting.cancel() } }
        component.observe { world.log.append($0.last ?? "") }
        component.send(Job(name: "notes"))
        #expect(world.log.lines == ["a begins at 0", "one", "two", "b begins at 0"])
        #expect(component.state == world.log.lines)
    }

    // MARK: - Handles

    @Test("A handle finishes after, and cancels, all workflows of its input")
    func handles() async {
        let world = self.world
        let slow = Self.jobs.widen(
            transformInput: Prism<Job, Job>(
                embed: { $0 }, extract: { Job(name: "slow \($0.name)", seconds: 9) }))
        let component = world.component([], Self.jobs.combine(slow.policy(.queued)).combine(Self.jobs.policy(.latest)))
        let handle = component.send(Job(name: "a", seconds: 1))
        let isFinished = Guarded(false)
        let waiter = Task(executorPreference: world.scheduler.executor) {
            await handle.finish()
            isFinished.withLock { $0 = true }
        }
        world.advance(8)
        #expect(!isFinished.withLock { $0 })
        world.advance(1)
        #expect(isFinished.withLock { $0 })
        #expect(!handle.isCancelled)
        await waiter.value

        let cancelled = component.send(Job(name: "b", seconds: 1))
        cancelled.cancel()
        world.advance(20)
        await cancelled.finish()
        #expect(cancelled.isCancelled)
        #expect(component.state.filter { $0.contains("b ends") }.isEmpty)
        #expect(world.scheduler.clock.sleeperCount == 0)
    }

    @Test("A handle reports cancellation if one of its workflows was ignored")
    func partlyIgnored() async {
        let world = self.world
        let component = world.component([], Self.jobs.policy(.first).combine(Self.jobs))
        component.send(Job(name: "a", seconds: 9))
        let second = component.send(Job(name: "b", seconds: 1))
        world.advance(1)
        await second.finish()
        #expect(second.isCancelled)
        #expect(component.state.contains("b ends at 1"))
    }

    @Test("The handle of an enqueued input reports and cancels the input's work")
    func handlesOfWaitingInputs() async {
        let world = self.world
        let component = world.component([], Self.jobs.policy(.first).combine(Self.jobs.policy(.queued)))
        let handles = Record<SendTask>()
        component.observe { [weak component] state in
            if state == ["a begins at 0"] {
                handles.append(component!.send(Job(name: "b", seconds: 2)))
                handles.append(component!.send(Job(name: "c", seconds: 2)))
                handles.values[1].cancel()
            }
        }
        component.send(Job(name: "a", seconds: 1))
        world.advance(9)
        for handle in handles.values { await handle.finish() }
        #expect(handles.values.map(\.isCancelled) == [true, true])
        #expect(
            component.state == [
                "a begins at 0", "a begins at 0", "a ends at 1", "a ends at 1", "b begins at 1", "b ends at 3",
            ])
    }

    @Test("An input that is cancelled by its own action replaces no work")
    func cancelledMeanwhile() {
        let handles = Record<SendTask>()
        let cancelling = Jobs.effectful { job in
            EnvIO { _ in
                if job.name == "b" { handles.values[0].cancel() }
                return .update { _ in }
            }
        }
        let seen = run(cancelling.combine(Self.jobs.policy(.latest))) { world, component in
            // An enqueued input has a handle before it is processed.
            component.observe { [weak component] state in
                if state == ["a begins at 0"] { handles.append(component!.send(Job(name: "b"))) }
            }
            component.send(Job(name: "a"))
            #expect(handles.values[0].isCancelled)
            world.advance(9)
        }
        #expect(seen == ["a begins at 0", "a ends at 1"])
    }

    @Test("Deallocating the component cancels running and waiting work")
    func closing() async {
        let world = self.world
        var component: Component<[String], Job>? = world.component(
            [],
            Self.jobs.policy(.queued).combine(
                Self.jobs.policy(.debounce(for: .seconds(1), clock: world.scheduler.clock))))
        let handles = ["a", "b"].compactMap { component?.send(Job(name: $0, seconds: 100)) }
        world.scheduler.drain()
        weak let freed = component
        component = nil
        #expect(freed == nil)
        world.scheduler.drain()
        #expect(world.scheduler.clock.sleeperCount == 0)
        for handle in handles {
            await handle.finish()
            #expect(handle.isCancelled)
        }
    }

    @Test(
        "No work begins under a policy after the component is released",
        arguments: [false, true])
    func askedForWhenGone(isFirst: Bool) {
        let waiting = Jobs.workflow { job in job.name == "waits" ? Self.jobs.on(job) : [] }
        let writing = Jobs.workflow { job in
            if job.name == "waits" { return [] }
            return [
                EnvIO { world in
                    world.log.append("\(job.name) begins")
                    return .update { _ in }
                }
            ]
        }
        let world = self.world
        let component = Guarded<Component<[String], Job>?>(
            world.component([], waiting.combine(writing.policy(.queued))))
        let handles = Record<SendTask>()
        func send(_ name: String) {
            if let handle = component.withLock({ $0 })?.send(Job(name: name)) { handles.append(handle) }
        }
        component.withLock { $0 }?.observe { state in
            guard state.last == "waits ends at 1" else { return }
            // Enqueued, because the current input is still being processed.
            component.withLock { $0 }.map { handles.append($0.send(Job(name: "late"))) }
            component.withLock { $0 = nil }
        }
        if !isFirst { send("early") }
        send("waits")
        world.advance(1)
        #expect(component.withLock { $0 } == nil)
        #expect(handles.values.last?.isCancelled == true)
        #expect(world.log.lines == (isFirst ? [] : ["early begins"]))
    }

    @Test("A failure of a policy's clock is reported with the waiting input, which is dropped")
    func brokenClock() async {
        let component = world.component([], Self.jobs.policy(.debounce(for: .seconds(1), clock: BrokenClock(Broken()))))
        component.onError { [log = world.log] error, source in log.append("\(error) of \(source)") }
        component.send(Job(name: "replaced"))
        let waiting = component.send(Job(name: "waiting"))
        world.scheduler.drain()
        await waiting.finish()
        #expect(waiting.isCancelled)
        #expect(component.state == [])
        #expect(world.log.lines == ["Broken() of \(Job(name: "waiting"))"])
    }

    @Test("A failure of a policy's clock without an observer is written to standard error", .promptly)
    func unobservedBrokenClock() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scheduler = VirtualScheduler()
            let component = Component<[String], Job>(
                initialState: [], environment: World(), executor: scheduler.executor,
                dispatcher: Self.jobs.policy(.debounce(for: .seconds(1), clock: BrokenClock(Broken()))))
            let handle = component.send(Job(name: "a"))
            scheduler.drain()
            await handle.finish()
            precondition(handle.isCancelled && component.state.isEmpty)
        }
        #expect(
            result.standardErrorText.contains(
                "The clock of a policy of Component<Array<String>, Job> failed, and what waited for it was dropped: Broken()"
            ))
    }

    // MARK: - Flushing

    @Test("flush starts the work that policies hold, of one id or of all, in its call, and cancels no running work")
    func flushing() {
        let clock = world.scheduler.clock
        let held = Policy.debounce(for: .seconds(10), clock: clock)
        let others = Jobs.workflow { job in job.name.hasPrefix("x") ? Self.jobs.on(job) : [] }
        let saves = Jobs.workflow { job in job.name.hasPrefix("x") ? [] : Self.jobs.on(job) }
        let component = world.component(
            [],
            Jobs.combine {
                saves.policy(held, id: \.file)
                others.policy(.throttle(for: .seconds(10), clock: clock))
            })
        for name in ["a", "b"] { component.send(Job(name: name, seconds: 3, file: name)) }
        for name in ["x", "x2"] { component.send(Job(name: name)) }
        #expect(component.state == ["x begins at 0"])
        component.flush("a")
        #expect(component.state == ["x begins at 0", "a begins at 0"])
        world.advance(1)
        component.send(Job(name: "a2", file: "a"))
        component.flush()
        #expect(component.state.dropFirst(2) == ["x ends at 1", "b begins at 1", "x2 begins at 1"])
        world.advance(30)
        #expect(
            component.state.dropFirst(5) == [
                "x2 ends at 2", "a ends at 3", "a2 begins at 3", "b ends at 4", "a2 ends at 4",
            ])
    }

    // MARK: - Laws

    @Test("A policy preserves the laws and the trace of a dispatcher", .cases(200), arguments: CombineLaw.allCases)
    func laws(_ law: CombineLaw) async {
        let policies: [Policy] = [
            .concurrent, .concurrent(limit: 2), .queued, .queuedLatest, .latest, .first, .debounce(for: .seconds(1)),
        ]
        let plain = StateDispatcher<EffectLog, [Int], Int>.workflow { number in
            (0..<number % 4).map { step in
                EnvIO { log in
                    log.append("\(number).\(step)")
                    if number == 7 { throw Broken() }
                    return .update { $0.append(number * 10 + step) }
                }
            }
        }
        let policed = policies.map { plain.policy($0) } + policies.map { plain.policy(.first).policy($0, id: { $0 }) }
        await law.property(
            of: .element(of: policed + [plain]), inputs: .int(in: 0...9), states: .element(of: [[]]),
            environment: { $0 }
        ).check()
        for dispatcher in policed {
            let trace = await dispatcher.trace(6, state: []) { $0 }
            let expected = await plain.trace(6, state: []) { $0 }
            #expect(trace == expected)
            #expect(trace.actions == 2)
        }
    }
}
