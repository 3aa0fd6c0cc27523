import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

@Suite("Selection", .timeLimit(.minutes(10))) struct SelectionTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    private final class Board: Sendable {
        private let shown = Guarded((home: -1, winner: String?.none))
        var home: Int {
            get { shown.withLock { $0.home } }
            set { shown.withLock { $0.home = newValue } }
        }
        var winner: String? {
            get { shown.withLock { $0.winner } }
            set { shown.withLock { $0.winner = newValue } }
        }
    }

    @MainActor private final class Label {
        var text: String? {
            didSet {
                MainActor.preconditionIsolated()
                texts.append(text)
            }
        }
        private(set) var texts: [String?] = []
        var number = -1
    }

    @MainActor private final class Screen {
        let label = Label()
        var registrations: Set<ScopedRegistration> = []

        func load(_ store: Store<Scores>) {
            store.select { "\($0.home)" }
                .assign(to: \.text, on: label)
                .store(in: &registrations)
            store.select(\.away)
                .assign(to: \.number, on: label)
                .store(in: &registrations)
        }
    }

    @Test("A selection's value is that of the current state")
    func value() {
        let home = store.select(\.home)
        #expect(home.value == 0)
        store.dispatch(action: HomeScored())
        #expect(home.value == 1)
    }

    @Test("A cancelled observer of a selection is not notified")
    func cancelling() {
        let values = Record<Int>()
        let registration = store.select(\.home).observe { values.append($0) }
        store.dispatch(action: HomeScored())
        registration.cancel()
        store.dispatch(action: HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("An observer of a selection ends when the set with its registration is emptied")
    func scoped() {
        let values = Record<Int>()
        var registrations: Set<ScopedRegistration> = []
        store.select(\.home).observe { values.append($0) }.store(in: &registrations)
        store.dispatch(action: HomeScored())
        registrations = []
        store.dispatch(action: HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("assign sets a property, optional or not, at once and with each change")
    func assigning() {
        let board = Board()
        store.select(\.home).assign(to: \.home, on: board)
        store.select { "\($0.away)" }.assign(to: \.winner, on: board)
        #expect(board.home == 0)
        #expect(board.winner == "0")
        store.dispatch(action: HomeScored())
        store.dispatch(action: AwayScored())
        #expect(board.home == 1)
        #expect(board.winner == "1")
        store.select(\.winner).assign(to: \.winner, on: board)
        #expect(board.winner == nil)
    }

    @Test("assign does not retain its target, and ends after the target is deallocated")
    func targetsGoAway() {
        let selections = Record<Void>()
        var board: Board? = Board()
        weak let weakBoard = board
        store.select { scores in
            selections.append(())
            return scores.home
        }.assign(to: \.home, on: board!)
        board = nil
        #expect(weakBoard == nil)
        store.dispatch(action: HomeScored())
        let count = selections.values.count
        store.dispatch(action: HomeScored())
        #expect(selections.values.count == count)
    }

    @Test("assign sets a main-actor target synchronously if the main actor dispatches")
    @MainActor func assigningOnTheMainActor() {
        let screen = Screen()
        screen.load(store)
        #expect(screen.label.texts == ["0"])
        store.dispatch(action: HomeScored())
        store.dispatch(action: AwayScored())
        #expect(screen.label.texts == ["0", "1"])
        #expect(screen.label.number == 1)
        screen.registrations = []
        store.dispatch(action: HomeScored())
        #expect(screen.label.texts == ["0", "1"])
    }

    @Test("assign sets a main-actor target on the main actor, in order, if another thread dispatches")
    @MainActor func assigningFromElsewhere() async {
        let screen = Screen()
        screen.load(store)
        await Task.detached { [store] in for _ in 1...3 { store.dispatch(action: HomeScored()) } }.value
        // Runs after the assignments that are enqueued on the main actor.
        await Task { @MainActor in }.value
        #expect(screen.label.texts == ["0", "1", "2", "3"])
    }

    private final class Plain {
        var number = -1
    }

    @Test("assign updates an object that the main actor holds if another thread dispatches")
    @MainActor func assigningToWhatAnActorHolds() async {
        let plain = Plain()
        store.select(\.home).assign(to: \.number, on: plain)
        #expect(plain.number == 0)
        await Task.detached { [store] in for _ in 1...3 { store.dispatch(action: HomeScored()) } }.value
        await Task { @MainActor in }.value
        #expect(plain.number == 3)
    }

    @Test("An assignment enqueued for the main actor is dropped if the registration is cancelled there")
    @MainActor func cancellingWhatIsOnItsWay() async {
        let screen = Screen()
        screen.load(store)
        // The main actor is blocked here, so the assignment is only enqueued.
        onThreads(1) { [store] _ in store.dispatch(action: HomeScored()) }
        screen.registrations = []
        await Task { @MainActor in }.value
        #expect(screen.label.texts == ["0"])
    }

    @Test("values() emits the current value and each different one, and ends with the store")
    func values() async {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        let values = store!.select(\.home).values()
        for action in [HomeScored(), Touched(), HomeScored()] as [any Action] { store!.dispatch(action: action) }
        store = nil
        var received: [Int] = []
        for await value in values { received.append(value) }
        #expect(received == [0, 1, 2])
    }

    @Test("values(buffering:) keeps the newest or the oldest values, as the argument says")
    func buffering() async {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        let newest = store!.select(\.home).values(buffering: .bufferingNewest(1))
        let oldest = store!.select(\.home).values(buffering: .bufferingOldest(2))
        for _ in 1...5 { store!.dispatch(action: HomeScored()) }
        store = nil
        var (newestReceived, oldestReceived): ([Int], [Int]) = ([], [])
        for await value in newest { newestReceived.append(value) }
        for await value in oldest { oldestReceived.append(value) }
        #expect(newestReceived == [5])
        #expect(oldestReceived == [0, 1])
    }

    @Test("A selector is not called after the iteration of its values has ended")
    func valuesEndWithTheirReader() async {
        let selections = Record<Void>()
        let selection = store.select { (scores: Scores) in
            selections.append(())
            return scores.home
        }
        // A separate task retains the sequence only as long as the task runs.
        #expect(await Task { await selection.values().first { _ in true } }.value == 0)
        let count = selections.values.count
        store.dispatch(action: HomeScored())
        #expect(selections.values.count == count)
    }

    @Test("Tracking a selection's value notifies only when this part changes")
    @MainActor func tracking() {
        let home = store.select(\.home)
        let changes = Record<Void>()
        func track() -> Int {
            withObservationTracking {
                home.value
            } onChange: {
                changes.append(())
            }
        }
        #expect(track() == 0)
        store.dispatch(action: AwayScored())
        #expect(changes.values.isEmpty)
        store.dispatch(action: HomeScored())
        #expect(changes.values.count == 1)
        #expect(track() == 1)
        store.dispatch(action: HomeScored())
        #expect(changes.values.count == 2)
        store.dispatch(action: HomeScored())
        #expect(changes.values.count == 2)
    }

    @Test("A selection retains its store, and an observer of the selection does not")
    func lifetimes() {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        weak let weakStore = store
        let registration = store!.select(\.home).observe { _ in }
        var home: Selection<Int>? = store!.select(\.home)
        _ = home?.value
        store = nil
        #expect(weakStore != nil)
        #expect(home?.value == 0)
        home = nil
        #expect(weakStore == nil)
        registration.cancel()
    }

    @Test("An observer that its own selector cancels at the first state is not notified")
    func cancelledByItsSelector() {
        let (registration, log) = (Guarded<Registration?>(nil), Log())
        let store = Store(reducer: counting, initialState: 0)
        let selection = store.select { count in
            registration.withLock { $0 }?.cancel()
            return count
        }
        let observing = store.observe { count in
            guard count == 1 else { return }
            // Enqueued, so the registration is stored before the selector is called.
            onThreads(1) { _ in
                let new = selection.observe { log.append("\($0)") }
                registration.withLock { $0 = new }
            }
        }
        store.dispatch(action: Increment())
        observing.cancel()
        #expect(log.lines == [])
    }
}
