import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

/// A store that is observed from the main actor.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct StoreIsolationTests {
    @MainActor private final class Screen {
        var states: [Int] = []
        var titles: [String] = []
        var handled: [String] = []
        var errors: [String] = []
        private let store: Store<Int>

        init(_ store: Store<Int>) {
            self.store = store
            store.observe { [unowned self] state in states.append(state) }
            store.select { "\($0 / 10)" }.observe { [unowned self] title in titles.append(title) }
            store.onError { [unowned self] error in errors.append("\(error)") }
            store.register(
                Effect(dispatch: false) { actions in
                    actions.handleEvents { [unowned self] action in handled.append("\(action)") }
                })
        }
    }

    @Test("Observers in a main-actor class are notified synchronously if the main actor dispatches")
    func atOnce() {
        let store = Store(reducer: counting, initialState: 0)
        let screen = Screen(store)
        #expect(screen.states == [0])
        store.dispatch(action: Add(amount: 10))
        #expect(screen.states == [0, 10])
        #expect(screen.titles == ["0", "1"])
        #expect(screen.handled == ["Add(amount: 10)"])
    }

    @Test("Observers in a main-actor class are notified in order if other threads dispatch")
    func fromOtherThreads() async {
        let store = Store(reducer: counting, initialState: 0)
        let screen = Screen(store)
        await Task.detached { onThreads(4) { _ in for _ in 0..<100 { store.dispatch(action: Increment()) } } }.value
        await handled(by: store)
        await withCheckedContinuation { continuation in
            let once = Once()
            // Notified after all other observers on the main actor.
            store.observe { @MainActor _ in if once.isFirst() { continuation.resume() } }
        }
        #expect(screen.states.prefix(401) == ArraySlice(0...400))
        #expect(screen.titles == (0...40).map { "\($0)" })
    }

    /// A reader that reads the state again whenever tracking notifies of a change.
    @MainActor private final class Reader {
        var states: [Int] = []
        var parts: [Int] = []
        private let store: Store<Int>
        private let tens: Selection<Int>

        init(_ store: Store<Int>) {
            self.store = store
            tens = store.select { $0 / 10 }
            readState()
            readTens()
        }

        private func readState() {
            withObservationTracking {
                states.append(store.state)
            } onChange: { [unowned self] in
                MainActor.assumeIsolated { readState() }
            }
        }

        private func readTens() {
            withObservationTracking {
                parts.append(tens.value)
            } onChange: { [unowned self] in
                MainActor.assumeIsolated { readTens() }
            }
        }
    }

    @Test("On the main actor, tracking notifies of every change of the state and of a part")
    func tracking() {
        let store = Store(reducer: counting, initialState: 0)
        let reader = Reader(store)
        for _ in 0..<25 { store.dispatch(action: Increment()) }
        #expect(reader.states == Array(0...25))
        #expect(reader.parts == [0, 1, 2])
    }

    @Test("Tracking ends on the last state if other threads dispatch")
    func trackingOtherThreads() async {
        let store = Store(reducer: counting, initialState: 0)
        let reader = Reader(store)
        await Task.detached { onThreads(4) { _ in for _ in 0..<100 { store.dispatch(action: Increment()) } } }.value
        await yield(until: { reader.states.last == 400 && reader.parts.last == 40 })
        #expect(reader.states.last == 400)
        #expect(reader.parts.last == 40)
        #expect(reader.states == reader.states.sorted())
        #expect(reader.parts == reader.parts.sorted())
    }
}
