import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

@Suite("Selection: operators", .timeLimit(.minutes(10))) struct SelectionOperatorTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    // MARK: - map

    @Test("map notifies of the current result and each different one, and computes once for each change")
    func mapping() {
        let computed = Record<Int>()
        let halves = store.select(\.home).map { computed.passing($0) / 2 }
        let values = halves.recorded()
        for _ in 1...5 { store.dispatch(HomeScored(), AwayScored(), Touched()) }
        #expect(values.values == [0, 1, 2])
        #expect(computed.values == [0, 1, 2, 3, 4, 5])
        #expect(halves.value == 2)
    }

    @Test("map computes once for reads of an unchanged value, and for a tracked read")
    @MainActor func mappingRemembersReads() {
        let computed = Record<Int>()
        let mapped = store.select(\.home).map { computed.passing($0) * 10 }
        let tracking = Tracking { mapped.value }
        store.dispatch(AwayScored(), Touched())
        #expect(mapped.value == 0)
        #expect(tracking.notifications == 0)
        #expect(computed.values == [0])
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
        #expect(mapped.value == 10)
        #expect(computed.values == [0, 1])
    }

    @Test("A mapped selection that is created inline is tracked, and an equal result does not notify")
    @MainActor func trackingInline() {
        let tracking = Tracking { store.select(\.home).map { $0 / 2 }.map { "\($0)" }.value }
        store.dispatch(HomeScored(), Touched())
        #expect(tracking.notifications == 0)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
    }

    // MARK: - removeDuplicates

    @Test("removeDuplicates(by:) compares with the last value of the observer, and keeps the current value")
    @MainActor func removingDuplicates() {
        let coarse = store.select(\.home).removeDuplicates { abs($0 - $1) < 3 }
        let values = coarse.recorded()
        let tracking = Tracking { coarse.value }
        store.dispatch(HomeScored(), HomeScored())
        #expect(tracking.notifications == 0)
        #expect(coarse.value == 2)
        for _ in 1...5 { store.dispatch(HomeScored()) }
        #expect(values.values == [0, 3, 6])
        #expect(tracking.notifications == 1)
    }

    @Test("removeDuplicates(by:) receives only values that differ, and never notifies of an equal one")
    @MainActor func removingNothing() {
        let compared = Record<[Int]>()
        let selection = store.select(\.home).removeDuplicates { compared.passing([$0, $1]).isEmpty }
        let values = selection.recorded()
        store.dispatch(Touched(), HomeScored(), AwayScored(), HomeScored())
        #expect(compared.values == [[0, 1], [1, 2]])
        #expect(values.values == [0, 1, 2])
        let tracking = Tracking { selection.value }
        store.dispatch(Touched(), AwayScored())
        #expect(tracking.notifications == 0)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
    }

    // MARK: - dropFirst

    @Test("dropFirst skips the current value for each observer, and keeps the value")
    @MainActor func dropping() {
        let changes = store.select(\.home).dropFirst()
        let (early, twice) = (changes.recorded(), store.select(\.home).dropFirst(2).recorded())
        let none = store.select(\.home).dropFirst(0).recorded()
        let tracking = Tracking { changes.value }
        store.dispatch(Touched(), HomeScored(), AwayScored())
        let late = changes.recorded()
        store.dispatch(HomeScored())
        #expect(early.values == [1, 2])
        #expect(late.values == [2])
        #expect(twice.values == [2])
        #expect(none.values == [0, 1, 2])
        #expect(changes.value == 2)
        #expect(tracking.notifications == 1)
    }

    @Test("dropFirst after map drops results, and before map it drops values")
    func droppingAroundMap() {
        let after = store.select(\.home).map { $0 / 2 }.dropFirst().recorded()
        let before = store.select(\.home).dropFirst().map { $0 / 2 }.recorded()
        for _ in 1...5 { store.dispatch(HomeScored()) }
        #expect(after.values == [1, 2])
        #expect(before.values == [0, 1, 2])
    }

    @Test("dropFirst notifies of a value that equals the dropped one if another value came in between")
    func returningToTheDroppedValue() {
        let values = store.select(\.winner).dropFirst().recorded()
        store.dispatch(Won(name: "a"), Won(name: nil))
        #expect(values.values == ["a", nil])
    }

    // MARK: - Ends, re-entrancy and memory

    @Test("Operators apply to values() and assign, and the sequence ends with the store")
    @MainActor func sequencesAndAssignments() async {
        let shown = Guarded("")
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        var texts: Selection<String>? = store!.select(\.home).dropFirst().map { "\($0)" }
        texts!.assign(to: \.value, on: shown)
        let values = texts!.values()
        #expect(shown.value == "")
        store!.dispatch(HomeScored(), HomeScored())
        #expect(shown.value == "2")
        (store, texts) = (nil, nil)
        #expect(await elements(of: [values]) == [["1", "2"]])
    }

    @Test("A cancelled observer is not notified, and its closures are not called")
    func cancelling() {
        let (values, computed) = (Record<Int>(), Record<Int>())
        let registration = store.select(\.home).map { computed.passing($0) }.observe { values.append($0) }
        store.dispatch(HomeScored())
        registration.cancel()
        store.dispatch(HomeScored())
        #expect(values.values == [0, 1])
        #expect(computed.values == [0, 1])
    }

    @Test("An observer that its own transform cancels is not notified")
    func cancelledByItsTransform() {
        let (registration, values) = (Guarded<Registration?>(nil), Record<Int>())
        registration.value = store.select(\.home).map { home in
            if home == 1 { registration.value?.cancel() }
            return home
        }.observe { values.append($0) }
        store.dispatch(HomeScored(), HomeScored())
        #expect(values.values == [0])
    }

    @Test("A transform and an observer that dispatch are followed by each value in order")
    func dispatchingAgain() {
        let values = Record<Int>()
        let home = store.select(\.home).map { [weak store] home in
            if home == 1 { store?.dispatch(HomeScored()) }
            return home
        }
        home.dropFirst().observe { [weak store] home in
            values.append(home)
            if home == 2 { store?.dispatch(HomeScored()) }
        }
        store.dispatch(HomeScored())
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
        await onThread { [store] in for _ in 1...3 { store.dispatch(HomeScored()) } }
        await Task { @MainActor in }.value
        #expect(values.values == [2, 4, 6])
    }
}
