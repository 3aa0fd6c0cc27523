import Dispatcher
import FunctionalCore
import Observation
import TestSupport
import Testing

/// What a component does if the compiler or the operating system is not as the library expects.
@Suite("Fallbacks of self checks", .timeLimit(.minutes(10)))
struct FallbackTests {
    struct Scores: Equatable, Sendable {
        var home = 0
        var away = 0
    }

    enum Team { case home, away }

    static func component() -> Component<Scores, Team> {
        Component(
            initialState: Scores(), environment: (),
            dispatcher: StateDispatcher.pure { team in
                .update { scores in
                    switch team {
                    case .home: scores.home += 1
                    case .away: scores.away += 1
                    }
                }
            })
    }

    /// Reads a part of the state through a scope, as the body of a view does.
    static func home(_ component: Component<Scores, Team>) -> Int {
        component.scope(state: \.home, input: { (team: Team) in team }).state
    }

    actor Watcher {
        let component = FallbackTests.component()
        private(set) var homes: [Int] = []

        func watch() async {
            let registration = component.observe { scores in self.homes.append(scores.home) }
            for _ in 1...100 { component.send(.home) }
            while homes.count < 101, !Task.isCancelled { await Task.yield() }
            // The observer retains the actor, which retains the component.
            registration.cancel()
        }
    }

    @Test("Tracking a part notifies of each change if Observation does not retain key paths", .promptly)
    func tracking() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                SelfCheck.$isFailing.withValue(true) {
                    let component = FallbackTests.component()
                    let reader = Tracking { FallbackTests.home(component) }
                    let other = Tracking { component.state.away }
                    component.send(.away)
                    component.send(.away)
                    precondition(reader.notifications == 1)
                    precondition(other.notifications == 1)
                    let again = Tracking { FallbackTests.home(component) }
                    component.send(.home)
                    precondition(again.notifications == 1 && reader.notifications == 1)
                }
            }
        }
        let message =
            "Observation does not retain the key paths that it tracks. Each change of a state now notifies all"
        #expect(result.standardErrorText.split(separator: message, omittingEmptySubsequences: false).count == 2)
    }

    @Test("Code that tracks again and changes the state while it is notified misses no change", .promptly)
    func trackingAgain() async {
        await #expect(processExitsWith: .success) {
            await SelfCheck.$isFailing.withValue(true) {
                let (component, inner) = (FallbackTests.component(), Record<Tracking>())
                await MainActor.run {
                    withObservationTracking {
                        _ = component.state
                    } onChange: {
                        inner.append(Tracking { FallbackTests.home(component) })
                        component.send(.home)
                    }
                    // The notification comes on the main actor, when the thread has drained the queue. What is sent from it
                    // is therefore processed at once, and notifies within the notification.
                    onThreads(1) { _ in component.send(.home) }
                }
                while await MainActor.run(body: { component.state.home }) < 2 { await Task.yield() }
                precondition(inner.values.map(\.notifications) == [1])
            }
        }
    }

    @Test(
        "Observers on an actor and without isolation receive each change, in order, if functions cannot be cast",
        .promptly)
    func observers() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await SelfCheck.$isFailing.withValue(true) {
                let watcher = Watcher()
                let homes = Record<Int>()
                watcher.component.observe { scores in homes.append(scores.home) }
                await watcher.watch()
                let watched = await watcher.homes
                precondition(watched == Array(0...100))
                while homes.values.count < 101 { await Task.yield() }
                precondition(homes.values == Array(0...100))
            }
        }
        let message =
            "The compiler calls isolated functions in another way than the library knows. Observers and handlers"
        #expect(result.standardErrorText.split(separator: message, omittingEmptySubsequences: false).count == 2)
    }

    @Test("No check fails on this platform", .promptly)
    func noFallback() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let component = FallbackTests.component()
                let tracking = Tracking { FallbackTests.home(component) }
                let homes = Record<Int>()
                component.observe { @MainActor scores in homes.append(scores.home) }
                component.send(.away)
                component.send(.home)
                precondition(tracking.notifications == 1 && homes.values == [0, 0, 1])
            }
        }
        #expect(!result.standardErrorText.contains("than the library knows"))
        #expect(!result.standardErrorText.contains("key paths"))
    }
}
