import Effects
import Observation
import TestSupport
import Testing

/// Selections that are created inline and not retained, as in the body of a view.
@MainActor
@Suite("Selection: tracking", .timeLimit(.minutes(10)))
struct SelectionTrackingTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    enum Selecting: CaseIterable {
        case keyPath, closure, predicate, selector, combinedSelectors

        @Sendable func home(in store: Store<Scores>) -> Int {
            switch self {
            case .keyPath: store.select(\.home).value
            case .closure: store.select { $0.home }.value
            case .predicate: store.select({ $0.home }, by: { $0 == $1 }).value
            case .selector: store.select(createSelector(\.home) { $0 }).value
            case .combinedSelectors: store.select(combineSelectors(createSelector(\.home) { $0 }) { $0 }).value
            }
        }
    }

    @Test("Tracking an inline selection notifies once, when its own value changes", arguments: Selecting.allCases)
    func inlineSelections(_ selecting: Selecting) {
        let tracking = Tracking { selecting.home(in: store) }
        store.dispatch(AwayScored(), Touched(), Won(name: "a"))
        #expect(tracking.notifications == 0)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
    }

    @Test("A value that the predicate treats as a repetition does not notify")
    func predicates() {
        let tracking = Tracking { store.select({ $0.home }, by: { $0 / 3 == $1 / 3 }).value }
        for count in 1...4 {
            store.dispatch(HomeScored())
            #expect(tracking.notifications == (count < 3 ? 0 : 1))
        }
    }

    @Test("One tracking of several selections notifies once, whichever of them changes")
    func severalSelections() {
        let (away, both) = (
            Tracking { store.select(\.away).value },
            Tracking { store.select(\.home).value + store.select(\.away).value }
        )
        store.dispatch(HomeScored())
        #expect(both.notifications == 1)
        store.dispatch(AwayScored())
        #expect(both.notifications == 1)
        #expect(away.notifications == 1)
    }

    @Test("All observers that track one part are notified, in the order in which they read it")
    func severalObservers() {
        let notified = Record<Int>()
        for number in 1...3 {
            withObservationTracking {
                _ = store.select(\.home).value
            } onChange: {
                notified.append(number)
            }
        }
        store.dispatch(HomeScored())
        #expect(notified.values == [1, 2, 3])
    }

    @Test("The selection has its new value when tracking notifies")
    func notifiedAfterTheChange() {
        let seen = Record<Int>()
        withObservationTracking {
            _ = store.select(\.home).value
        } onChange: { [store] in
            seen.append(store.select(\.home).value)
        }
        store.dispatch(HomeScored())
        #expect(seen.values == [1])
    }

    @Test("A change during a notification notifies the observers that track the part at that time")
    func changesWhileNotifying() {
        let notified = Record<String>()
        @Sendable func track(_ name: String, _ onChange: @escaping @Sendable () -> Void = {}) {
            withObservationTracking {
                _ = store.select(\.home).value
            } onChange: {
                notified.append(name)
                onChange()
            }
        }
        track("first") { [store] in
            track("again")
            store.dispatch(HomeScored())
        }
        track("second")
        store.dispatch(HomeScored())
        #expect(notified.values == ["first", "second", "again"])
        #expect(store.state.home == 2)
    }

    @Test("A change during a notification from another thread notifies each tracking once")
    func nestedNotifications() async {
        let before = Tracking { store.select(\.away).value }
        withObservationTracking {
            _ = store.select(\.home).value
        } onChange: { [store] in
            store.dispatch(AwayScored())
        }
        let after = Tracking { store.select(\.away).value }
        onThreads(1) { [store] _ in store.dispatch(HomeScored()) }
        await yield(until: { store.state.away == 1 })
        #expect(before.notifications == 1)
        #expect(after.notifications == 1)
    }

    @Test("A part, or the state, that changes while it is being tracked notifies with the next action")
    func changesWhileTracking() {
        for read in [{ self.store.select(\.home).value }, { self.store.state.home }] {
            let tracking = Tracking {
                _ = read()
                store.dispatch(HomeScored())
            }
            #expect(tracking.notifications == 0)
            store.dispatch(Touched())
            #expect(tracking.notifications == 1)
        }
    }

    @Test("Tracking store.state also notifies on an action that changes nothing")
    func wholeState() {
        let tracking = Tracking { store.state.home }
        store.dispatch(Touched())
        #expect(tracking.notifications == 1)
    }

    @Test("Repeated tracking ends on the last value if several threads dispatch")
    func manyThreads() async {
        let reader = TrackingReader { [store] in store.select(\.home).value }
        let tens = TrackingReader { [store] in store.select(createSelector(\.home) { $0 / 10 }).value }
        await Task.detached { [store] in
            onThreads(8) { thread in
                for round in 0..<500 {
                    let isHome = round.isMultiple(of: 2)
                    store.dispatch(action: isHome ? HomeScored() as any Action : Touched())
                    if thread == 0 { _ = store.select(\.home).value }
                }
            }
        }.value
        await yield(until: { reader.values.last == 2_000 && tens.values.last == 200 })
        #expect(reader.values.last == 2_000)
        #expect(reader.values == reader.values.sorted())
        #expect(tens.values == Array(Set(tens.values)).sorted(), "Each notification has a different value.")
    }

    // MARK: - Memory

    private let counter = Tracked.Counter()

    /// A selection that retains a tracked object as long as it is retained.
    private func home() -> Selection<Int> {
        let held = Tracked(counter)
        return store.select { scores in withExtendedLifetime(held) { scores.home } }
    }

    @Test("A read that is not tracked retains nothing")
    func untrackedReads() {
        for _ in 0..<1_000 { #expect(home().value == 0) }
        #expect(counter.count == 0)
    }

    @Test("A tracked read is retained until it has notified")
    func trackedReads() {
        let tracking = Tracking { home().value + home().value }
        #expect(counter.count == 2)
        store.dispatch(Touched())
        #expect(counter.count == 2)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
        #expect(counter.count == 0)
    }

    @Test("A read that is no longer tracked is released with the next action")
    func droppedTracking() {
        let flag = ObservedFlag()
        let tracking = Tracking { (flag.isRaised, home().value) }
        flag.notify()
        #expect(tracking.notifications == 1)
        store.dispatch(Touched())
        #expect(counter.count == 0)
        store.dispatch(HomeScored())
        #expect(tracking.notifications == 1)
    }

    @Test("Repeated tracking without a change does not accumulate reads")
    func trackingWithoutChanges() {
        let flag = ObservedFlag()
        for _ in 0..<1_000 {
            _ = Tracking { (flag.isRaised, home().value) }
            flag.notify()
        }
        #expect(counter.count < 50)
    }

    @Test("A tracked selection does not retain its store, and its value is released with the store")
    func storesThatAreTracked() {
        struct Holding: Sendable { let held: Tracked }
        var store: Store<Holding>? = Store(
            reducer: { _, _ in }, initialState: Holding(held: Tracked(counter)))
        weak let weakStore = store
        let tracking = Tracking { store?.select({ $0.held }, by: { $0 === $1 }).value }
        store = nil
        #expect(weakStore == nil)
        #expect(counter.count == 0)
        #expect(tracking.notifications == 0)
    }
}
