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

    @Test("A selection's value is that of the state as it is")
    func value() {
        let home = store.select(\.home)
        #expect(home.value == 0)
        store.dispatch(action: HomeScored())
        #expect(home.value == 1)
    }

    @Test("An observer of a selection that is cancelled is told nothing more")
    func cancelling() {
        let values = Record<Int>()
        let registration = store.select(\.home).observe { values.append($0) }
        store.dispatch(action: HomeScored())
        registration.cancel()
        store.dispatch(action: HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("An observer of a selection that is kept in a set ends with the set")
    func scoped() {
        let values = Record<Int>()
        var registrations: Set<ScopedRegistration> = []
        store.select(\.home).observe { values.append($0) }.store(in: &registrations)
        store.dispatch(action: HomeScored())
        registrations = []
        store.dispatch(action: HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("assign sets the property at once and with each change, of the same type or an optional one")
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

    @Test("assign does not keep its target alive, and lets go of what it was told by")
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

    @Test("assign to a target of the main actor's sets it there, at once where that is possible")
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

    @Test("assign to a target of the main actor's sets it there in order, whichever thread dispatches")
    @MainActor func assigningFromElsewhere() async {
        let screen = Screen()
        screen.load(store)
        await Task.detached { [store] in for _ in 1...3 { store.dispatch(action: HomeScored()) } }.value
        // Enqueued after what was to be done on the main actor.
        await Task { @MainActor in }.value
        #expect(screen.label.texts == ["0", "1", "2", "3"])
    }

    private final class Plain {
        var number = -1
    }

    @Test("assign sets a property of an object that an actor holds on that actor, whichever thread dispatches")
    @MainActor func assigningToWhatAnActorHolds() async {
        let plain = Plain()
        store.select(\.home).assign(to: \.number, on: plain)
        #expect(plain.number == 0)
        await Task.detached { [store] in for _ in 1...3 { store.dispatch(action: HomeScored()) } }.value
        await Task { @MainActor in }.value
        #expect(plain.number == 3)
    }

    @Test("Nothing is assigned on the main actor any more once the registration was cancelled there")
    @MainActor func cancellingWhatIsOnItsWay() async {
        let screen = Screen()
        screen.load(store)
        // The main actor waits here, so that what is to be assigned is on its way only.
        onThreads(1) { [store] _ in store.dispatch(action: HomeScored()) }
        screen.registrations = []
        await Task { @MainActor in }.value
        #expect(screen.label.texts == ["0"])
    }

    @Test("The values of a selection are the one as it is and each that differs, and end with the store")
    func values() async {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        let values = store!.select(\.home).values()
        for action in [HomeScored(), Touched(), HomeScored()] as [any Action] { store!.dispatch(action: action) }
        store = nil
        var received: [Int] = []
        for await value in values { received.append(value) }
        #expect(received == [0, 1, 2])
    }

    @Test("Of values that come faster than they are taken, the buffering keeps what it says")
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

    @Test("Values that nobody takes any more are no longer selected")
    func valuesEndWithTheirReader() async {
        let selections = Record<Void>()
        let selection = store.select { (scores: Scores) in
            selections.append(())
            return scores.home
        }
        // Taken in a task of its own, which holds the sequence as long as it runs and no longer.
        #expect(await Task { await selection.values().first { _ in true } }.value == 0)
        let count = selections.values.count
        store.dispatch(action: HomeScored())
        #expect(selections.values.count == count)
    }

    @Test("Reading a selection's value is tracked: told when this part has changed, and only then")
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

    @Test("A selection holds the store; an observer of it does not")
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
}
