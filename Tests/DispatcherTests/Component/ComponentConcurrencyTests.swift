import Dispatcher
import FunctionalCore
import TestSupport
import Testing

@Suite("Component: concurrency", .serialized, .timeLimit(.minutes(10)))
struct ComponentConcurrencyTests {
    private static let increment = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    @Test func eightThreadsLoseNothingAndObserversSeeEachStateInOrder() async {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let seen = Record<Int>()
        component.observe { seen.append($0) }
        onThreads(8) { _ in for _ in 0..<20_000 { component.send(1) } }
        // Processed after all inputs that were sent before it. It notifies as well.
        await component.send(0).finish()
        #expect(component.state == 160_000)
        #expect(seen.values.elementsEqual(Array(0...160_000) + [160_000]))
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

    @Test @MainActor func observersOfTheMainActorSeeEachStateInRegistrationOrder() async throws {
        let component = Component(initialState: 0, environment: (), dispatcher: Self.increment)
        let seen = Log()
        component.observe { @MainActor in seen.append("a \($0)") }
        component.observe { @MainActor in seen.append("b \($0)") }
        component.send(1)
        // On the main actor, they are called before `send` returns.
        #expect(seen.lines == ["a 0", "b 0", "a 1", "b 1"])
        await Task.detached {
            onThreads(4) { _ in for _ in 0..<1_000 { component.send(1) } }
        }.value
        try await component.settledIncludingObservers()
        #expect(seen.lines.elementsEqual((0...4_001).flatMap { ["a \($0)", "b \($0)"] }))
    }

    @Test @MainActor func errorsReachAnObserverOnTheMainActor() async {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { _ in
            EnvIO { () async throws in
                await Task.yield()
                throw Broken()
            }
        }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        @MainActor final class Screen { var told: [String] = [] }
        let screen = Screen()
        // Without an attribute: the closure has the isolation in which it is formed.
        component.onError { error, input in screen.told.append("\(error) \(input)") }
        await component.send(7).finish()
        await yield(until: { !screen.told.isEmpty })
        #expect(screen.told == ["Broken() 7"])
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
        let shown = Guarded(0)
        component.observe { @MainActor in shown.value = $0 }
        var late = 0
        for number in 1...2_000 {
            await component.send(number).finish()
            if shown.value != number { late += 1 }
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
}
