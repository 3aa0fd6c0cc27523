import Dispatcher
import FunctionalCore
import TestSupport
import Testing

private struct Counts: Equatable, Sendable {
    var left = 0
    var right = 0
}

private enum CountsInput: Sendable { case left, right }

private let counting = StateDispatcher<Void, Counts, CountsInput>.pure { input in
    switch input {
    case .left: .update { $0.left += 1 }
    case .right: .update { $0.right += 1 }
    }
}

/// What a view controller is: a class of the main actor that shows values.
@MainActor
private final class Screen {
    var shown: [Int] = []
}

@MainActor
@Suite("Observing with an owner", .timeLimit(.minutes(10)))
struct ComponentOwnerTests {
    private let component = Component(initialState: Counts(), environment: (), dispatcher: counting)

    private func scope() -> Scope<Int, Void> { component.scope(state: \.left, input: { CountsInput.left }) }

    @Test func theOwnerIsPassedWithTheCurrentStateAndEachNewOne() {
        let screen = Screen()

        component.observe(with: screen) { screen, counts in screen.shown.append(counts.left) }
        component.send(.left)
        component.send(.right)

        #expect(screen.shown == [0, 1, 1])
    }

    @Test func theOwnerOfAScopeIsPassedOnlyChangesOfThePart() {
        let screen = Screen()

        scope().observe(with: screen) { screen, count in screen.shown.append(count) }
        component.send(.left)
        component.send(.right)
        component.send(.left)

        #expect(screen.shown == [0, 1, 2])
    }

    /// The owner is used on the main actor only, so its type need not be `Sendable`.
    @Test func theOwnerNeedNotBeSendable() {
        final class Presenter { var shown: [Int] = [] }
        let presenter = Presenter()

        component.observe(with: presenter) { presenter, counts in presenter.shown.append(counts.left) }
        scope().observe(with: presenter) { presenter, count in presenter.shown.append(count) }
        component.send(.left)

        #expect(presenter.shown == [0, 0, 1, 1])
    }

    @Test func nothingIsCalledAfterTheOwnerIsDeallocated() {
        var screen: Screen? = Screen()
        weak let released = screen
        var calls = 0

        component.observe(with: screen!) { _, _ in calls += 1 }
        scope().observe(with: screen!) { _, _ in calls += 1 }
        screen = nil
        component.send(.left)

        #expect(released == nil)
        #expect(calls == 2)
    }

    @Test func theBodyIsReleasedWithTheNextChangeAfterTheOwnerIsDeallocated() {
        var screen: Screen? = Screen()
        let captured = Tracked.Counter()

        func observe(_ screen: Screen) {
            let (first, second) = (Tracked(captured), Tracked(captured))
            component.observe(with: screen) { _, _ in withExtendedLifetime(first) {} }
            scope().observe(with: screen) { _, _ in withExtendedLifetime(second) {} }
        }
        observe(screen!)
        #expect(captured.count == 2)
        screen = nil
        component.send(.left)

        #expect(captured.count == 0)
    }

    @Test func aCancelledObserverIsNotCalled() {
        let screen = Screen()
        let registrations = [
            component.observe(with: screen) { screen, counts in screen.shown.append(counts.left) },
            scope().observe(with: screen) { screen, count in screen.shown.append(count) },
        ]

        for registration in registrations { registration.cancel() }
        component.send(.left)

        #expect(screen.shown == [0, 0])
    }

    @Test func anInputOfABodyIsProcessedAfterTheBody() {
        let screen = Screen()

        component.observe(with: screen) { [weak component] screen, counts in
            if counts.left == 1 { component?.send(.left) }
            screen.shown.append(counts.left)
        }
        component.send(.left)

        #expect(screen.shown == [0, 1, 2])
    }

    @Test func statesOfAnotherThreadArriveOnTheMainActorInOrder() async throws {
        let screen = Screen()

        component.observe(with: screen) { screen, counts in screen.shown.append(counts.left) }
        await Task.detached { [component] in
            for _ in 0..<100 { component.send(.left) }
        }.value
        try await component.settledIncludingObservers()

        #expect(screen.shown == Array(0...100))
    }

    /// Another thread has enqueued a call when the owner is deallocated.
    @Test func anEnqueuedCallIsNotMadeAfterTheOwnerIsDeallocated() async throws {
        var screen: Screen? = Screen()
        weak let released = screen
        var calls = 0
        component.observe(with: screen!) { _, _ in calls += 1 }

        onThreads(1) { [component] _ in component.send(.left) }
        screen = nil
        try await component.settledIncludingObservers()

        #expect(released == nil)
        #expect(calls == 1)
    }
}

/// A scope whose inputs are the values of its part is what a binding reads and writes.
@MainActor
@Suite("Scopes that are read and written", .timeLimit(.minutes(10)))
struct ScopeWritingTests {
    private let component = Component(
        initialState: "", environment: (), dispatcher: StateDispatcher<Void, String, String>.pure { .set($0) })

    private var text: Scope<String, String> { component.scope(state: \.self, input: { $0 }) }

    @Test func aValueThatIsWrittenIsReadAtOnce() {
        let text = text

        text.send("a")

        #expect(text.state == "a")
    }

    @Test func aValueThatAnObserverWritesIsReadAfterTheObserver() {
        let (text, seen) = (text, Log())
        text.observe { [weak component, weak text] value in
            guard value == "a", let text else { return }
            component?.send("b")
            seen.append(text.state)
        }

        text.send("a")

        #expect(seen.values == ["a"])
        #expect(text.state == "b")
    }

    @Test func aTrackedReadIsNotifiedOfAWriteBeforeTheWriteReturns() {
        let tracking = Tracking { text.state }

        text.send("a")

        #expect(tracking.notifications == 1)
    }
}
