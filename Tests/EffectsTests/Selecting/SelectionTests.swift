import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

@Suite("Selection", .timeLimit(.minutes(10))) struct SelectionTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    @MainActor private final class Label {
        var text: String? {
            didSet {
                MainActor.preconditionIsolated()
                texts.append(text)
            }
        }
        private(set) var texts: [String?] = []
        var number = -1
        var registrations: Set<ScopedRegistration> = []

        func show(_ store: Store<Scores>) {
            store.select { "\($0.home)" }.assign(to: \.text, on: self).store(in: &registrations)
            store.select(\.away).assign(to: \.number, on: self).store(in: &registrations)
        }
    }

    @Test("A selection's value is that of the current state")
    func value() {
        let home = store.select(\.home)
        #expect(home.value == 0)
        store.dispatch(HomeScored())
        #expect(home.value == 1)
    }

    @Test("An observer of a selection ends when the set with its registration is emptied")
    func scoped() {
        let values = Record<Int>()
        var registrations: Set<ScopedRegistration> = []
        store.select(\.home).observe { values.append($0) }.store(in: &registrations)
        store.dispatch(HomeScored())
        registrations = []
        store.dispatch(HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("assign sets a property, optional or not, at once and with each change")
    @MainActor func assigning() {
        let (home, winner) = (Guarded(-1), Guarded(String?.none))
        store.select(\.home).assign(to: \.value, on: home)
        store.select { "\($0.away)" }.assign(to: \.value, on: winner)
        #expect(home.value == 0)
        #expect(winner.value == "0")
        store.dispatch(HomeScored(), AwayScored())
        #expect(home.value == 1)
        #expect(winner.value == "1")
        store.select(\.winner).assign(to: \.value, on: winner)
        #expect(winner.value == nil)
    }

    @Test("assign does not retain its target, and ends after the target is deallocated")
    @MainActor func targetsGoAway() {
        let selected = Record<Int>()
        var target: Guarded<Int>? = Guarded(-1)
        weak let released = target
        store.select { selected.passing($0.home) }.assign(to: \.value, on: target!)
        target = nil
        #expect(released == nil)
        store.dispatch(HomeScored())
        let count = selected.values.count
        store.dispatch(HomeScored())
        #expect(selected.values.count == count)
    }

    @Test("assign sets a main-actor target synchronously if the main actor dispatches")
    @MainActor func assigningOnTheMainActor() {
        let label = Label()
        label.show(store)
        #expect(label.texts == ["0"])
        store.dispatch(HomeScored(), AwayScored())
        #expect(label.texts == ["0", "1"])
        #expect(label.number == 1)
        label.registrations = []
        store.dispatch(HomeScored())
        #expect(label.texts == ["0", "1"])
    }

    @Test("assign sets a main-actor target on the main actor, in order, if another thread dispatches")
    @MainActor func assigningFromElsewhere() async {
        let label = Label()
        label.show(store)
        await onThread { [store] in for _ in 1...3 { store.dispatch(HomeScored()) } }
        // Runs after the assignments that are enqueued on the main actor.
        await Task { @MainActor in }.value
        #expect(label.texts == ["0", "1", "2", "3"])
    }

    private final class Plain {
        var number = -1
    }

    @Test("assign updates an object that the main actor holds if another thread dispatches")
    @MainActor func assigningToWhatAnActorHolds() async {
        let plain = Plain()
        store.select(\.home).assign(to: \.number, on: plain)
        #expect(plain.number == 0)
        await onThread { [store] in for _ in 1...3 { store.dispatch(HomeScored()) } }
        await Task { @MainActor in }.value
        #expect(plain.number == 3)
    }

    @Test("An assignment enqueued for the main actor is dropped if the registration is cancelled there")
    @MainActor func cancellingWhatIsOnItsWay() async {
        let label = Label()
        label.show(store)
        // The main actor is blocked here, so the assignment is only enqueued.
        onThreads(1) { [store] _ in store.dispatch(HomeScored()) }
        label.registrations = []
        await Task { @MainActor in }.value
        #expect(label.texts == ["0"])
    }

    @Test("values(buffering:) emits the current value and each different one that it keeps, and ends with the store")
    func values() async {
        var store: Store<Scores>? = Store(reducer: scoring, initialState: Scores())
        let home = { store!.select(\.home) }
        let streams = [
            home().values(), home().values(buffering: .bufferingNewest(1)),
            home().values(buffering: .bufferingOldest(2)),
        ]
        store!.dispatch(HomeScored(), Touched(), HomeScored())
        store = nil
        #expect(await elements(of: streams) == [[0, 1, 2], [2], [0, 1]])
    }

    @Test("A selector is not called after the iteration of its values has ended")
    func valuesEndWithTheirReader() async {
        let selected = Record<Int>()
        let selection = store.select { selected.passing($0.home) }
        // A separate task retains the sequence only as long as the task runs.
        #expect(await Task { await selection.values().first { _ in true } }.value == 0)
        let count = selected.values.count
        store.dispatch(HomeScored())
        #expect(selected.values.count == count)
    }

    @Test("44. An observer that is cancelled while its selector runs is not notified")
    func cancelledWhileItsSelectorRuns() {
        let (registration, compared) = (Guarded<Registration?>(nil), Record<Int>())
        let selection = store.select(
            { scores in
                if scores.home == 1 { registration.value?.cancel() }
                return scores.home
            },
            by: { compared.passing($1) == $0 })
        let values = Record<Int>()
        registration.value = selection.observe { values.append($0) }
        store.dispatch(HomeScored(), HomeScored())
        #expect(values.values == [0])
        #expect(compared.values == [])
    }

    @Test("An observer that its own selector cancels at the first state is not notified")
    func cancelledByItsSelector() {
        let (registration, values) = (Guarded<Registration?>(nil), Record<Int>())
        let selection = store.select { scores in
            registration.value?.cancel()
            return scores.home
        }
        let observing = store.observe { scores in
            guard scores.home == 1 else { return }
            // Enqueued, so the registration is stored before the selector is called.
            onThreads(1) { _ in registration.value = selection.observe { values.append($0) } }
        }
        store.dispatch(HomeScored())
        observing.cancel()
        #expect(values.values == [])
    }
}
