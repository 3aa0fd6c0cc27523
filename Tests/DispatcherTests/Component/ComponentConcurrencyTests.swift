import Dispatcher
import FunctionalCore
import TestSupport
import Testing

@Suite("Component: concurrency", .serialized, .timeLimit(.minutes(10)))
struct ComponentConcurrencyTests {
    private static let increment = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    @Test func eightThreadsLoseNothingAndObserversSeeEachStateInOrder() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let observed = ObservedCounts()
        component.observe { observed.see($0) }
        onThreads(8) { _ in for _ in 0..<20_000 { component.send(1) } }
        // Processed after all inputs that were sent before it.
        await component.send(0).finish()
        #expect(component.state == 160_000)
        #expect(observed.last == 160_000)
        #expect(observed.gaps == 0)
    }

    @Test func workflowsThatWaitAtOnceLoseNothing() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.workflow { number in
            [
                EnvIO { () async throws in
                    await Task.yield()
                    return .update { $0 += number }
                },
                EnvIO { () async throws in
                    await Task.yield()
                    return .update { $0 += number }
                },
            ]
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        await withTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { await component.send(1).finish() } }
        }
        #expect(component.state == 2_000)
    }

    @Test func cancellingFromManyThreadsIsSafe() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { _ in
            EnvIO<Void, any Error, Void>.sleep(for: .seconds(1_000_000)).map { .set(-1) }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let work = component.send(1)
                    work.cancel()
                    await work.finish()
                }
            }
        }
        #expect(component.state == 0)
    }

    @Test func observersRegisterAndCancelWhileOtherThreadsSend() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        onThreads(4) { thread in
            for _ in 0..<2_000 {
                if thread % 2 == 0 {
                    component.send(1)
                } else {
                    component.observe { _ in }.cancel()
                    _ = component.state
                }
            }
        }
        await component.send(0).finish()
        #expect(component.state == 4_000)
    }

    @Test func aScreenOnTheMainActorSeesEveryStateInOrder() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let screen = await Screen(component)
        let senders = Task.detached {
            onThreads(4) { _ in for _ in 0..<1_000 { component.send(1) } }
            await component.send(0).finish()
        }
        await senders.value
        await screen.seen(4_000)
        #expect(await screen.gaps == 0)
    }

    @Test @MainActor func observersOfTheMainActorAreCalledInTheOrderTheyRegistered() async throws {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let seen = Log()
        component.observe { @MainActor in seen.append("a \($0)") }
        component.observe { @MainActor in seen.append("b \($0)") }
        let sender = Task.detached {
            for _ in 0..<500 {
                component.send(1)
                await Task.yield()
            }
        }
        await sender.value
        try await component.settledIncludingObservers()
        #expect(seen.lines == (0...500).flatMap { ["a \($0)", "b \($0)"] })
    }

    @Test @MainActor func onTheMainActorAnObserverIsCalledBeforeSendReturns() {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let screen = Screen(component)
        component.send(1)
        #expect(screen.label == "1")
        component.send(1)
        #expect(screen.label == "2")
    }

    @Test @MainActor func errorsReachAScreenOnTheMainActor() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { () async throws in
                await Task.yield()
                throw Broken()
            }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        let screen = ErrorScreen(component)
        await component.send(7).finish()
        await screen.shown()
        #expect(screen.label == "Broken() 7")
    }

    @Test func finishReturnsAfterTheFailureIsReportedFromAnyDrainingThread() async {
        let dispatcher = StateDispatcher<Void, Int, Bool>.effectful { fails in
            EnvIO { () async throws in
                await Task.yield()
                if fails { throw Broken() }
                return .update { $0 += 1 }
            }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        let told = Guarded(0)
        component.onError { _, _ in told.withLock { $0 += 1 } }
        async let others: Void = { for _ in 0..<2_000 { await component.send(false).finish() } }()
        var late = 0
        for count in 1...2_000 {
            await component.send(true).finish()
            if told.withLock({ $0 }) != count { late += 1 }
        }
        await others
        #expect(late == 0)
    }

    @Test @MainActor func finishReturnsAfterTheMainActorObservesTheState() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { () async throws in
                await Task.yield()
                return .set(number)
            }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        let screen = Screen(component)
        var late = 0
        for number in 1...2_000 {
            await component.send(number).finish()
            if screen.label != "\(number)" { late += 1 }
        }
        #expect(late == 0)
    }

    /// The main actor tracks the state while another thread changes it. The last value that it reads is the last state.
    @Test @MainActor func trackingOnTheMainActorNeverEndsStale() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let scope = component.scope(state: \.self, input: { (number: Int) in number })
        var stale = 0
        for round in 1...20_000 {
            let sender = Task.detached { _ = component.send(1) }
            let reader = TrackingReader { round % 2 == 0 ? component.state : scope.state }
            await sender.value
            // The notification, and the tracking that it starts, were enqueued before these.
            for _ in 0..<3 { await Task { @MainActor in }.value }
            if reader.values.last != round { stale += 1 }
        }
        #expect(stale == 0)
    }

    @Test @MainActor func trackingAPartIsNotifiedOnlyOfThatPart() {
        let component = Component(initialState: Counter(), environment: Gate(), dispatcher: counter)
        let scope = component.scope(state: \.count, input: CounterInput.add)
        let (whole, part) = (Tracking { component.state.count }, Tracking { scope.state })
        let reader = TrackingReader { scope.state }
        component.send(.touchOther)
        #expect(whole.notifications == 1)
        #expect(part.notifications == 0)
        scope.send(4)
        #expect(part.notifications == 1)
        #expect(reader.values == [0], "Tracking reads again later, on the main actor.")
    }
}

/// A class whose label shows the state of a component, like that of a view controller.
@MainActor
private final class Screen {
    private(set) var label = ""
    private(set) var gaps = 0
    private var last = -1
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    init(_ component: Component<Int, Int>) {
        component.observe { [weak self] state in self?.show(state) }
    }

    private func show(_ state: Int) {
        if state != last + 1, state != last { gaps += 1 }
        last = state
        label = "\(state)"
        if let waiter, state >= waiter.count {
            waiter.continuation.resume()
            self.waiter = nil
        }
    }

    func seen(_ count: Int) async {
        if last >= count { return }
        await withCheckedContinuation { waiter = (count, $0) }
    }
}

@MainActor
private final class ErrorScreen {
    private(set) var label = ""
    private var waiter: CheckedContinuation<Void, Never>?

    init(_ component: Component<Int, Int>) {
        component.onError { [weak self] error, input in self?.show("\(error) \(input)") }
    }

    private func show(_ text: String) {
        label = text
        waiter?.resume()
        waiter = nil
    }

    func shown() async {
        if label.isEmpty { await withCheckedContinuation { waiter = $0 } }
    }
}

/// Records the last state, and counts the gaps between consecutive states.
private final class ObservedCounts: Sendable {
    private let counts = Guarded((last: -1, gaps: 0))

    var last: Int { counts.withLock { $0.last } }
    var gaps: Int { counts.withLock { $0.gaps } }

    func see(_ count: Int) {
        counts.withLock { counts in
            if count != counts.last + 1, count != counts.last { counts.gaps += 1 }
            counts.last = count
        }
    }
}
