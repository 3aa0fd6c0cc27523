import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

@Suite("Selection: operators", .timeLimit(.minutes(10))) struct SelectionOperatorTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    private func dispatch(_ actions: any Action...) {
        for action in actions { store.dispatch(action: action) }
    }

    // MARK: - map

    @Test("map notifies of the current result, and then of each different one")
    func mapping() {
        let values = Record<Int>()
        let tens = store.select(\.home).map { $0 / 2 }
        tens.observe { values.append($0) }
        for _ in 1...5 { dispatch(HomeScored(), Touched()) }
        #expect(values.values == [0, 1, 2])
        #expect(tens.value == 2)
    }

    @Test("map computes once for each change of the selection and each observer, and not after other actions")
    func mappingIsCalledForChanges() {
        let calls = Record<Int>()
        let mapped = store.select(\.home).map { home in
            calls.append(home)
            return "\(home)"
        }
        mapped.observe { _ in }
        #expect(calls.values == [0])
        dispatch(AwayScored(), Touched(), HomeScored(), Touched())
        #expect(calls.values == [0, 1])
    }

    @Test("map computes once for reads of an unchanged value, and for a tracked read")
    @MainActor func mappingRemembersReads() {
        let calls = Record<Int>()
        let mapped = store.select(\.home).map { home in
            calls.append(home)
            return home * 10
        }
        let tracking = Tracking { mapped.value }
        dispatch(AwayScored(), Touched())
        #expect(mapped.value == 0)
        #expect(tracking.notifications == 0)
        #expect(calls.values == [0])
        dispatch(HomeScored())
        #expect(tracking.notifications == 1)
        #expect(mapped.value == 10)
        #expect(calls.values == [0, 1])
    }

    @Test("A mapped selection that is created inline is tracked, and an equal result does not notify")
    @MainActor func trackingInline() {
        let tracking = Tracking { store.select(\.home).map { $0 / 2 }.map { "\($0)" }.value }
        dispatch(HomeScored(), Touched())
        #expect(tracking.notifications == 0)
        dispatch(HomeScored())
        #expect(tracking.notifications == 1)
    }

    @Test("map(by:) decides by a predicate what is a repetition, for values that are not Equatable")
    @MainActor func mappingByPredicate() {
        struct Score: Sendable { let points: Int }
        let values = Record<Int>()
        let scores = store.select({ Score(points: $0.home) }, by: { $0.points == $1.points })
        let halves = scores.map({ Score(points: $0.points / 2) }, by: { $0.points == $1.points })
        halves.observe { values.append($0.points) }
        let tracking = Tracking { halves.value.points }
        dispatch(HomeScored())
        #expect(tracking.notifications == 0)
        dispatch(HomeScored(), HomeScored())
        #expect(values.values == [0, 1])
        #expect(tracking.notifications == 1)
        #expect(halves.value.points == 1)
    }

    // MARK: - removeDuplicates

    @Test("removeDuplicates(by:) compares with the last value of the observer, and keeps the current value")
    @MainActor func removingDuplicates() {
        let values = Record<Int>()
        let coarse = store.select(\.home).removeDuplicates { abs($0 - $1) < 3 }
        coarse.observe { values.append($0) }
        let tracking = Tracking { coarse.value }
        dispatch(HomeScored(), HomeScored())
        #expect(tracking.notifications == 0)
        #expect(coarse.value == 2)
        for _ in 1...5 { dispatch(HomeScored()) }
        #expect(values.values == [0, 3, 6])
        #expect(tracking.notifications == 1)
    }

    @Test("removeDuplicates(by:) receives only the values that the selection notifies of")
    func removingDuplicatesOfChanges() {
        let compared = Record<[Int]>()
        let selection = store.select(\.home).removeDuplicates { old, new in
            compared.append([old, new])
            return false
        }
        let values = Record<Int>()
        selection.observe { values.append($0) }
        dispatch(Touched(), HomeScored(), AwayScored(), HomeScored())
        #expect(compared.values == [[0, 1], [1, 2]])
        #expect(values.values == [0, 1, 2])
    }

    @Test("removeDuplicates(by:) never notifies of an equal value, whatever its predicate returns")
    @MainActor func removingNothing() {
        let values = Record<Int>()
        let selection = store.select(\.home).removeDuplicates { _, _ in false }
        selection.observe { values.append($0) }
        let tracking = Tracking { selection.value }
        dispatch(Touched(), AwayScored())
        #expect(values.values == [0])
        #expect(tracking.notifications == 0)
        dispatch(HomeScored())
        #expect(values.values == [0, 1])
        #expect(tracking.notifications == 1)
    }

    // MARK: - dropFirst

    @Test("dropFirst skips the current value for each observer, and keeps the value")
    @MainActor func dropping() {
        let (early, late, twice, none) = (Record<Int>(), Record<Int>(), Record<Int>(), Record<Int>())
        let changes = store.select(\.home).dropFirst()
        changes.observe { early.append($0) }
        store.select(\.home).dropFirst(2).observe { twice.append($0) }
        store.select(\.home).dropFirst(0).observe { none.append($0) }
        let tracking = Tracking { changes.value }
        dispatch(Touched(), HomeScored(), AwayScored())
        changes.observe { late.append($0) }
        dispatch(HomeScored())
        #expect(early.values == [1, 2])
        #expect(late.values == [2])
        #expect(twice.values == [2])
        #expect(none.values == [0, 1, 2])
        #expect(changes.value == 2)
        #expect(tracking.notifications == 1)
    }

    @Test("dropFirst after map drops results, and before map it drops values")
    func droppingAroundMap() {
        let (after, before) = (Record<Int>(), Record<Int>())
        store.select(\.home).map { $0 / 2 }.dropFirst().observe { after.append($0) }
        store.select(\.home).dropFirst().map { $0 / 2 }.observe { before.append($0) }
        for _ in 1...5 { dispatch(HomeScored()) }
        #expect(after.values == [1, 2])
        #expect(before.values == [0, 1, 2])
    }

    @Test("dropFirst notifies of a value that equals the dropped one if another value came in between")
    func returningToTheDroppedValue() {
        let values = Record<String?>()
        store.select(\.winner).dropFirst().observe { values.append($0) }
        for name in ["a", nil] as [String?] { dispatch(Won(name: name)) }
        #expect(values.values == ["a", nil])
    }

    // MARK: - Ends, re-entrancy and memory

    @Test("Operators apply to values() and assign, and the sequence ends with the store")
    func sequencesAndAssignments() async {
        final class Board: Sendable {
            private let shown = Guarded("")
            var text: String {
                get { shown.withLock { $0 } }
                set { shown.withLock { $0 = newValue } }
            }
        }
        let board = Board()
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        var texts: Selection<String>? = store!.select(\.home).dropFirst().map { "\($0)" }
        texts!.assign(to: \.text, on: board)
        let values = texts!.values()
        #expect(board.text == "")
        for _ in 1...2 { store!.dispatch(action: HomeScored()) }
        #expect(board.text == "2")
        (store, texts) = (nil, nil)
        var received: [String] = []
        for await value in values { received.append(value) }
        #expect(received == ["1", "2"])
    }

    @Test("A cancelled observer is not notified, and its closures are not called")
    func cancelling() {
        let (values, calls) = (Record<Int>(), Record<Void>())
        let registration = store.select(\.home).map { home in
            calls.append(())
            return home
        }.observe { values.append($0) }
        dispatch(HomeScored())
        registration.cancel()
        dispatch(HomeScored())
        #expect(values.values == [0, 1])
        #expect(calls.values.count == 2)
    }

    @Test("An observer that its own transform cancels is not notified")
    func cancelledByItsTransform() {
        let (registration, values) = (Guarded<Registration?>(nil), Record<Int>())
        let new = store.select(\.home).map { home in
            if home == 1 { registration.withLock { $0 }?.cancel() }
            return home
        }.observe { values.append($0) }
        registration.withLock { $0 = new }
        dispatch(HomeScored(), HomeScored())
        #expect(values.values == [0])
    }

    @Test("A transform and an observer that dispatch are followed by each value in order")
    func dispatchingAgain() {
        let values = Record<Int>()
        let home = store.select(\.home).map { [weak store] home in
            if home == 1 { store?.dispatch(action: HomeScored()) }
            return home
        }
        home.dropFirst().observe { [weak store] home in
            values.append(home)
            if home == 2 { store?.dispatch(action: HomeScored()) }
        }
        dispatch(HomeScored())
        #expect(values.values == [1, 2, 3])
    }

    @Test("A derived selection retains its store, and neither its observers nor tracked reads do")
    @MainActor func lifetimes() {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        weak let weakStore = store
        var derived: Selection<Int>? = store!.select(\.home).map { $0 + 1 }.removeDuplicates { $0 == $1 }.dropFirst()
        derived?.observe { _ in }
        let tracking = Tracking { derived?.value }
        store = nil
        #expect(weakStore != nil)
        #expect(derived?.value == 1)
        derived = nil
        #expect(weakStore == nil)
        #expect(tracking.notifications == 0)
    }

    @Test("Observers of derived selections on the main actor are notified in order")
    @MainActor func isolated() async {
        let values = Record<Int>()
        store.select(\.home).map { $0 * 2 }.dropFirst().observe { @MainActor in values.append($0) }
        await Task.detached { [store] in for _ in 1...3 { store.dispatch(action: HomeScored()) } }.value
        await Task { @MainActor in }.value
        #expect(values.values == [2, 4, 6])
    }
}
