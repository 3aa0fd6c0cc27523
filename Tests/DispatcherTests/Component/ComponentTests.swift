import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct Counter: Equatable, Sendable {
    var count = 0
    var other = 0
    var log: [String] = []
}

private enum CounterInput: Sendable {
    case add(Int)
    case touchOther
    case write(String)
}

@Suite("Component", .timeLimit(.minutes(10)))
struct ComponentTests {
    private func component() -> Component<Counter, CounterInput> {
        Component(
            initialState: Counter(), environment: (),
            dispatcher: StateDispatcher<Void, Counter, CounterInput>.pure { input in
                .update { counter in
                    switch input {
                    case .add(let number): counter.count += number
                    case .touchOther: counter.other += 1
                    case .write(let line): counter.log.append(line)
                    }
                }
            })
    }

    @Test func droppingTheLastReferenceFreesTheComponentAndCancelsItsWork() async {
        let log = Log()
        let dispatcher = StateDispatcher<Void, Int, Bool>.effectful { _ in
            EnvIO<Void, any Error, Void>.sleep(for: .seconds(1_000_000)).guarantee(
                EnvIO { log.append("released") }
            ).map { .set(1) }
        }
        weak var weakComponent: Component<Int, Bool>?
        var handle: SendTask?
        do {
            let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
            weakComponent = component
            handle = component.send(true)
        }
        #expect(weakComponent == nil)
        await handle?.finish()
        #expect(log.lines == ["released"])
    }

    @Test func stateAndEnvironmentAreFreedWithTheComponent() async {
        weak var environment: Witness?
        weak var state: Witness?
        do {
            let (inEnvironment, inState) = (Witness(), Witness())
            (environment, state) = (inEnvironment, inState)
            let component = Component(
                initialState: inState, environment: inEnvironment,
                dispatcher: StateDispatcher<Witness, Witness, Int>.effectful { _ in .access { .set($0) } })
            component.observe { _ in }
            component.send(1)
        }
        #expect(environment == nil)
        #expect(state == nil)
    }

    @Test func aChainOfAMillionSendsFromAnObserverReturns() {
        let component = component()
        component.observe { [weak component] state in
            if state.count < manySteps { component?.send(.add(1)) }
        }
        #expect(component.state.count == manySteps)
    }

    @Test func anInputSentFromAnObserverIsProcessedInTurn() {
        let component = component()
        let seen = Log()
        component.observe { [weak component] state in
            seen.append("first \(state.count)")
            if state.count == 1 { component?.send(.add(10)) }
        }
        component.observe { state in seen.append("second \(state.count)") }
        component.send(.add(1))
        #expect(seen.lines == ["first 0", "second 0", "first 1", "second 1", "first 11", "second 11"])
    }

    @Test func anObserverAddedDuringANotificationStartsWithTheCurrentStateOnce() {
        let component = component()
        let seen = Log()
        component.observe { [weak component] state in
            guard state.count == 1 else { return }
            component?.observe { seen.append("\($0.count)") }
            component?.send(.add(1))
        }
        component.send(.add(1))
        #expect(seen.lines == ["1", "2"])
    }

    @Test func noCallBeginsAfterCancel() {
        let component = component()
        let seen = Log()
        let registration = component.observe { seen.append("\($0.count)") }
        component.send(.add(1))
        registration.cancel()
        registration.cancel()
        component.send(.add(1))
        #expect(seen.lines == ["0", "1"])
    }

    @Test func aCancelledObserverIsFreed() {
        weak var weakWitness: Witness?
        let component = component()
        let registration: Registration
        do {
            let witness = Witness()
            weakWitness = witness
            registration = component.observe { _ in withExtendedLifetime(witness) {} }
        }
        #expect(weakWitness != nil)
        registration.cancel()
        #expect(weakWitness == nil)
    }

    @MainActor
    @Test func registrationsEndWithTheirSetAndWithTheirOwner() {
        let component = component()
        let seen = Log()
        do {
            var registrations: Set<ScopedRegistration> = []
            let owner = Witness()
            component.observe { seen.append("set \($0.count)") }.store(in: &registrations)
            component.observe(with: owner) { _, counter in seen.append("owner \(counter.count)") }
            component.send(.add(1))
            withExtendedLifetime((registrations, owner)) {}
        }
        component.send(.add(1))
        #expect(seen.lines == ["set 0", "owner 0", "set 1", "owner 1"])
    }

    @Test func anObserverOfAPartIsNotifiedOnlyOfChangesOfThatPart() {
        let component = component()
        let seen = Log()
        component.observe(\.count) { seen.append("count \($0)") }
        component.observe(\.log.count) { seen.append("log \($0)") }
        component.send(.touchOther)
        component.send(.add(0))
        component.send(.add(1))
        component.send(.write("a"))
        #expect(seen.lines == ["count 0", "log 0", "count 1", "log 1"])
    }

    @Test func aScopeSendsAndReadsThroughItsComponent() {
        let component = component()
        let scope = component.scope(state: \.log, input: CounterInput.write)
        let inner = scope.scope(state: \.count, input: { (number: Int) in "\(number)" })
        let seen = Log()
        scope.observe { seen.append("\($0)") }
        inner.observe { seen.append("\($0)") }
        component.send(.add(1))
        inner.send(3)
        #expect(scope.state == ["3"])
        #expect(inner.state == 1)
        #expect(seen.lines == ["[]", "0", "[\"3\"]", "1"])
    }

    @Test func statesBeginsWithTheCurrentOneAndSkipsNothing() async {
        let component = component()
        component.send(.add(1))
        let states = component.states()
        for _ in 0..<1_000 { component.send(.add(1)) }
        var counts: [Int] = []
        for await state in states {
            counts.append(state.count)
            if counts.count == 1_001 { break }
        }
        #expect(counts == Array(1...1_001))
    }

    @Test func statesEndsWithTheComponent() async {
        var component: Component<Counter, CounterInput>? = component()
        let states = component?.states()
        component = nil
        var seen = 0
        if let states { for await _ in states { seen += 1 } }
        #expect(seen == 1)
    }

    @Test(
        "A later action that computes for long lets other work run, with and without a trace",
        arguments: [nil, Trace { _ in }])
    func pauses(trace: Trace?) {
        let (scheduler, log) = (VirtualScheduler(), Log())
        @Sendable func counted(to count: Int) -> EnvIO<Void, any Error, Int> {
            count == 0 ? .pure(0) : EnvIO.pure(count - 1).flatMap { counted(to: $0) }
        }
        let waiting = EnvIO<Void, any Error, Void>.sleep(for: .seconds(1), clock: scheduler.clock)
        let long = EnvIO<Void, any Error, Int> { () throws in
            scheduler.start { log.append("other") }
            return 30_000
        }
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor, trace: trace,
            dispatcher: StateDispatcher<Void, Int, Int>.workflow { number in
                [waiting.map { .set(1) }, long.flatMap { counted(to: $0) }.map { _ in .set(number) }]
            })
        component.observe { log.append("\($0)") }
        component.send(2)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["0", "1", "other", "2"])
    }

    @Test func aStreamCommitsItsChangesOneByOne() async {
        let dispatcher = StateDispatcher<Int, [Int], Int>.stream { count, offset in
            AsyncStream { continuation in
                for number in 0..<count { continuation.yield(.update { $0.append(number + offset) }) }
                continuation.finish()
            }
        }
        let component = Component(initialState: [], environment: 100, dispatcher: dispatcher)
        let seen = Log()
        component.observe { seen.append("\($0)") }
        await component.send(3).finish()
        #expect(seen.lines == ["[]", "[100]", "[100, 101]", "[100, 101, 102]"])
        let whole = try? await dispatcher.on(2)[0].run(5)
        #expect(whole?.exec([]) == [5, 6])
    }

    @Test func aFailingStreamKeepsItsCommittedChangesAndIsReported() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.stream { count, _ in
            AsyncThrowingStream { continuation in
                for _ in 0..<count { continuation.yield(.update { $0 += 1 }) }
                continuation.finish(throwing: Broken())
            }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        let errors = Log()
        component.onError { error, input in errors.append("\(error) \(input)") }
        await component.send(3).finish()
        #expect(component.state == 3)
        #expect(errors.lines == ["Broken() 3"])
    }
}
