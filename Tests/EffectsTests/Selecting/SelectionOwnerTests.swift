import Effects
import FunctionalCore
import TestSupport
import Testing

private struct Typed: Action { let text: String }

private struct Post: Equatable, Sendable {
    var title = ""
    var length = 0
}

private let editing: ReducerFn<Post> = on(Typed.self) { post, typed in
    post.title = typed.text
    post.length = typed.text.count
}

/// What a view controller is: a class of the main actor that shows values.
@MainActor
private final class Screen {
    var shown: [Int] = []
}

@MainActor
@Suite("Observing a selection with an owner", .timeLimit(.minutes(10)))
struct SelectionOwnerTests {
    private let store = Store(reducer: editing, initialState: Post())

    private func type(_ text: String) { store.dispatch(action: Typed(text: text)) }

    @Test func theOwnerIsPassedWithTheCurrentValueAndEachChange() {
        let screen = Screen()

        store.select(\.length).observe(with: screen) { screen, length in screen.shown.append(length) }
        type("a")
        type("b")
        type("bc")

        #expect(screen.shown == [0, 1, 2])
    }

    @Test func theOwnerOfAScopeIsPassedOnlyChangesOfThePartUntilItIsDeallocated() {
        var screen: Screen? = Screen()
        weak let released = screen
        var calls: [Int] = []

        store.scope(state: \.length).observe(with: screen!) { _, length in calls.append(length) }
        for text in ["a", "b", "bc"] { type(text) }
        screen = nil
        type("")

        #expect(released == nil)
        #expect(calls == [0, 1, 2])
    }

    @Test func theBodyIsReleasedWithTheNextChangeAfterTheOwnerIsDeallocated() {
        var screen: Screen? = Screen()
        let captured = Tracked.Counter()

        func observe(_ screen: Screen) {
            let tracked = Tracked(captured)
            store.select(\.length).observe(with: screen) { _, _ in withExtendedLifetime(tracked) {} }
        }
        observe(screen!)
        #expect(captured.count == 1)
        screen = nil
        type("a")

        #expect(captured.count == 0)
    }

    @Test func aCancelledObserverIsNotCalled() {
        let screen = Screen()
        let registration = store.select(\.length).observe(with: screen) { screen, length in screen.shown.append(length)
        }

        registration.cancel()
        type("a")

        #expect(screen.shown == [0])
    }

    @Test func anActionOfABodyIsProcessedAfterTheBody() {
        let screen = Screen()

        store.select(\.length).observe(with: screen) { [weak store] screen, length in
            if length == 1 { store?.dispatch(action: Typed(text: "ab")) }
            screen.shown.append(length)
        }
        type("a")

        #expect(screen.shown == [0, 1, 2])
    }
}
