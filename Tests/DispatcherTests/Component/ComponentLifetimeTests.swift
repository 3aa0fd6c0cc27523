import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Cancellation, deallocation and a change of the draining thread, each at an inconvenient moment.
@Suite("Component: lifetimes", .serialized, .timeLimit(.minutes(10)))
struct ComponentLifetimeTests {
    private static let add = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    /// Sends an input whose own effect cancels it. The input is enqueued, so it has a handle before it is processed.
    private func sendingCancelledMeanwhile(
        executor: (any TaskExecutor)? = nil,
        then rest: @escaping @Sendable () -> EnvIO<Void, any Error, State<Int, Void>>
    ) -> (component: Component<Int, Int>, errors: Log) {
        let handle = Guarded<SendTask?>(nil)
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            number == 1
                ? .pure(.set(1)) : EnvIO<Void, any Error, Void> { _ in handle.value?.cancel() }.flatMap { rest() }
        }
        let component = Component(initialState: 0, environment: (), executor: executor, dispatcher: dispatcher)
        let errors = Log()
        component.onError { error, _ in errors.append("\(error)") }
        component.observe { [weak component] state in
            if state == 1 { handle.value = component?.send(2) }
        }
        component.send(1)
        return (component, errors)
    }

    @Test("The change or failure of an action that is cancelled while it runs is dropped", arguments: [false, true])
    func cancelledWhileItRuns(fails: Bool) {
        let (component, errors) = sendingCancelledMeanwhile { fails ? .fail(Broken()) : .pure(.set(100)) }
        #expect(component.state == 1)
        #expect(errors.lines.isEmpty)
    }

    @Test("An enqueued input that is cancelled is not dispatched and replaces no work")
    func inputInTheQueue() {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let inputs = Log()
        let slow = StateDispatcher<Void, [Int], Int>.workflow { number in
            if number < 0 { return [] }
            inputs.append("\(number)")
            return [
                EnvIO { _ in
                    try await clock.sleep(for: .seconds(1))
                    return .update { $0.append(number) }
                }
            ]
        }
        .policy(.latest)
        let quick = StateDispatcher<Void, [Int], Int>.workflow { number in
            number < 0 ? [.pure(.update { $0.append(number) })] : []
        }
        let component = Component(
            initialState: [], environment: (), executor: scheduler.executor, dispatcher: quick.combine(slow))
        component.send(1)
        component.observe { [weak component] state in
            // Enqueued behind this change.
            if state == [-1] { component?.send(2).cancel() }
        }
        component.send(-1)
        scheduler.advance(by: .seconds(1))
        #expect(inputs.lines == ["1"])
        #expect(component.state == [-1, 1])
    }

    @Test("An enqueued failure is not reported if its action is cancelled", arguments: [false, true])
    func failureInTheQueue(isCancelled: Bool) {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                if number == 1 { return .pure(.set(1)) }
                return EnvIO { () async throws in
                    try await clock.sleep(for: .seconds(1))
                    throw Broken()
                }
            })
        let errors = Log()
        component.onError { error, _ in errors.append("\(error)") }
        let failing = component.send(2)
        scheduler.drain()
        component.observe { state in
            guard state == 1 else { return }
            // The failure is enqueued behind this change.
            scheduler.advance(by: .seconds(1))
            if isCancelled { failing.cancel() }
        }
        component.send(1)
        #expect(errors.lines == (isCancelled ? [] : ["Broken()"]))
        scheduler.drain()
    }

    @Test func aCancellationBeforeTheTaskStartsReachesTheTask() {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        // The sleep checks neither the run nor its flag, so only the cancellation of its task can end it.
        let (component, _) = sendingCancelledMeanwhile(executor: scheduler.executor) {
            EnvIO { () async throws in
                try await clock.sleep(until: clock.now.advanced(by: .seconds(9)), tolerance: nil)
                return .set(100)
            }
        }
        scheduler.drain()
        #expect(clock.sleeperCount == 0)
        #expect(component.state == 1)
    }

    @Test func aWorkflowThatStartsAfterTheComponentIsFreedIsCancelled() async throws {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let (component, handle) = (Guarded<Component<Int, Int>?>(nil), Guarded<SendTask?>(nil))
        component.value = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { () async throws in
                    try await clock.sleep(for: .seconds(number))
                    return .set(number)
                }
            })
        weak let freed = component.value
        component.value?.observe { state in
            guard state == 1 else { return }
            // Enqueued, because the current input is still being processed.
            handle.value = component.value?.send(100)
            component.value = nil
        }
        component.value?.send(1)
        scheduler.advance(by: .seconds(1))
        #expect(freed == nil)
        try #require(clock.sleeperCount == 0)
        let late = try #require(handle.value)
        await late.finish()
        #expect(late.isCancelled)
    }

    @Test func finishedWorkIsReleased() {
        let scheduler = VirtualScheduler()
        let waiting = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { () async throws in
                try await scheduler.clock.sleep(for: .seconds(1))
                return .update { $0 += number }
            }
        }
        for dispatcher in [waiting, waiting.policy(.queued)] {
            let component = Component(
                initialState: 0, environment: (), executor: scheduler.executor, dispatcher: dispatcher)
            weak let work: AnyObject? = component.send(1).work
            #expect(work != nil)
            scheduler.advance(by: .seconds(1))
            #expect(component.state == 1)
            #expect(work == nil)
        }
    }

    @Test func aRegistrationMayBeReleasedDuringAStateUpdate() {
        struct Model: Sendable {
            var count = 0
            var registration: ScopedRegistration?
        }
        let dispatcher = StateDispatcher<Void, Model, ScopedRegistration?>.pure { registration in
            .update {
                $0.count += 1
                $0.registration = registration
            }
        }
        let component = Component(initialState: Model(), environment: (), dispatcher: dispatcher)
        let seen = Log()
        var registrations: Set<ScopedRegistration> = []
        component.observe { seen.append("\($0.count)") }.store(in: &registrations)
        component.send(registrations.removeFirst())
        component.send(nil)
        component.send(nil)
        #expect(seen.lines == ["0", "1"])
    }

    @Test func aScopeOfAComputedPartMayReadTheState() {
        struct Model: Sendable {
            static let component = Guarded<Component<Model, Int>?>(nil)
            var count = 0
            var doubled: Int { (Self.component.value?.state.count ?? 0) + count }
        }
        let dispatcher = StateDispatcher<Void, Model, Int>.pure { number in .update { $0.count += number } }
        let component = Component(initialState: Model(), environment: (), dispatcher: dispatcher)
        Model.component.value = component
        component.send(4)
        #expect(component.scope(state: \.doubled, input: { (number: Int) in number }).state == 8)
        Model.component.value = nil
    }

    @Test @MainActor func cancelDropsNotificationsUnderWayToTheMainActor() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.add)
        let seen = Log()
        let registration = component.observe { @MainActor in seen.append("\($0)") }
        // The main actor is busy here, so the notifications from the other thread wait for it.
        onThreads(1) { _ in for _ in 0..<10 { component.send(1) } }
        registration.cancel()
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(seen.lines == ["0"])
    }

    @Test @MainActor func aFailureUnderWayToTheMainActorArrivesAfterTheComponentIsFreed() async {
        var component: Component<Int, Int>? = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { _ in .fail(Broken()) })
        let told = Log()
        component?.onError { @MainActor error, input in told.append("\(error) \(input)") }
        let sender = Guarded<Component<Int, Int>?>(nil)
        sender.value = component
        onThreads(1) { _ in
            sender.value?.send(7)
            sender.value = nil
        }
        component = nil
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(told.lines == ["Broken() 7"])
    }

    @Test func theDrainingThreadLeavesLaterInputsToTheExecutor() async {
        let executor = ManualExecutor()
        let component = Component(initialState: 0, environment: (), executor: executor, dispatcher: Self.add)
        component.observe { [weak component] state in
            guard let component else { return }
            if state == 1 { onThreads(4) { _ in for _ in 0..<1_250 { component.send(1) } } }
            if state == 3_000 { onThreads(1) { _ in component.send(1) } }
        }
        component.send(1)
        // This thread processes the inputs that others sent first, and leaves the later one to the executor.
        #expect(component.state == 5_001)
        #expect(executor.readyCount == 1)
        executor.drain()
        #expect(component.state == 5_002)
    }

    @Test func aWorkflowOfTwentyThousandActionsRunsToItsEnd() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.workflow { count in
            [EnvIO { () async throws in .pure(()) }] + Array(repeating: .pure(.update { $0 += 1 }), count: count)
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        await component.send(20_000).finish()
        #expect(component.state == 20_000)
    }
}
