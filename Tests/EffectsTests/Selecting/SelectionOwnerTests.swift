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

    @Test("Observers of a store, a scope and a selection can be without the call with the current value")
    func withoutTheCurrentValue() {
        var screen: Screen? = Screen()
        let calls = Record<String>()
        store.observe(initial: false) { calls.append("store \($0.length)") }
        store.scope(state: \.length).observe(initial: false) { calls.append("scope \($0)") }
        store.select(\.length).observe(initial: false) { calls.append("selection \($0)") }
        store.observe(with: screen!, initial: false) { calls.append("owner of a store's \($1.length)") }
        store.scope(state: \.length).observe(with: screen!, initial: false) { calls.append("owner of a scope's \($1)") }
        store.select(\.length).observe(with: screen!, initial: false) { calls.append("owner of a selection's \($1)") }
        #expect(calls.values == [])
        type("a")
        let unowned = ["store 1", "scope 1", "selection 1"]
        let owned = ["owner of a store's 1", "owner of a scope's 1", "owner of a selection's 1"]
        #expect(calls.values == unowned + owned)
        type("b")
        #expect(calls.values.dropFirst(6) == ["store 1", "owner of a store's 1"])
        screen = nil
        type("bc")
        #expect(calls.values.dropFirst(8) == ["store 2", "scope 2", "selection 2"])
    }

    @Test func theOwnerOfAStoreIsPassedWithTheCurrentStateAndTheStateAfterEachAction() {
        let screen = Screen()

        store.observe(with: screen) { screen, post in screen.shown.append(post.length) }
        type("a")
        type("b")

        #expect(screen.shown == [0, 1, 1])
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
