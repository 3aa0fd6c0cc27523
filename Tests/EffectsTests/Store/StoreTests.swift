import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StoreTests {
    @Test("1, 2. A new observer receives the state at once, and dispatching is synchronous")
    func initialValue() {
        let store = Store(reducer: counting, initialState: 3)
        let states = store.recorded()
        #expect(states.values == [3])
        store.dispatch(action: Increment())
        #expect(store.state == 4)
        #expect(states.values == [3, 4])
    }

    @Test("3. A late observer begins with the current state, not with the initial one")
    func lateSubscriber() {
        let store = Store(reducer: counting, initialState: 0)
        store.dispatch(action: Add(amount: 5))
        let (states, selected) = (store.recorded(), store.select { $0 }.recorded())
        #expect(states.values == [5])
        #expect(selected.values == [5])
    }

    @Test("4. The reducer is called once for each action, in order, with its previous result")
    func reductions() {
        let log = Log()
        let store = Store(
            reducer: { (state: inout Int, action) in
                log.append("\(state) \((action as? Add)?.amount ?? 0)")
                counting(&state, action)
            }, initialState: 0)
        for amount in 1...4 { store.dispatch(action: Add(amount: amount)) }
        #expect(log.lines == ["0 1", "1 2", "3 3", "6 4"])
        #expect(store.state == 10)
    }

    @Test("5. An action without a reducer changes no state and no selection, but effects receive it")
    func unknownAction() {
        let handled = Log()
        let logger = Effect(dispatch: false) { actions in actions.handleEvents { handled.append("\($0)") } }
        let store = Store(reducer: counting, initialState: 7, effects: [logger])
        let selected = store.select { $0 }.recorded()
        store.dispatch(action: Acknowledged())
        #expect(store.state == 7)
        #expect(selected.values == [7])
        #expect(handled.values == ["Acknowledged()"])
    }

    @Test("6. State observers are notified after every action, and selection observers only after changes")
    func everyAction() {
        let store = Store(reducer: counting, initialState: 1)
        let (states, selected) = (store.recorded(), store.select { $0 }.recorded())
        for _ in 0..<3 { store.dispatch(action: Acknowledged()) }
        #expect(states.values == [1, 1, 1, 1])
        #expect(selected.values == [1])
    }

    @Test("13. An observer may dispatch, and the final state reflects both actions")
    func dispatchingFromAnObserver() {
        let store = Store(reducer: counting, initialState: 0)
        store.observe { [weak store] in if $0 == 1 { store?.dispatch(action: Add(amount: 10)) } }
        store.dispatch(action: Increment())
        #expect(store.state == 11)
    }

    @Test("14. Actions that an observer dispatches are enqueued and processed in order")
    func firstInFirstOut() {
        let store = Store(reducer: counting, initialState: 0)
        let states = Record<Int>()
        let once = Once()
        store.observe { [weak store] state in
            states.append(state)
            guard once.isFirst() else { return }
            for amount in [3, 2, 1] { store?.dispatch(action: Add(amount: amount)) }
            // Not nested: the actions are not processed yet.
            #expect(store?.state == 0)
        }
        #expect(states.values == [0, 3, 5, 6])
    }

    @Test("15. Each observer receives every state in order, even if another observer dispatches")
    func allSeeAllInOrder() {
        for position in 0..<8 {
            let store = Store(reducer: counting, initialState: 0)
            let seen = (0..<8).map { _ in Record<Int>() }
            for (index, record) in seen.enumerated() {
                store.observe { [weak store] state in
                    record.append(state)
                    if index == position, state % 3 == 1 {
                        store?.dispatch(action: Increment())
                        store?.dispatch(action: Increment())
                    }
                }
            }
            for _ in 0..<5 { store.dispatch(action: Increment()) }
            for record in seen { #expect(record.values == Array(0...15)) }
            #expect(store.state == 15)
        }
    }

    @Test("64. An observer may cancel itself and add another, which begins with the current state")
    func changingTheObservers() {
        let store = Store(reducer: counting, initialState: 0)
        let (first, added) = (Record<Int>(), Record<Int>())
        let registration = Guarded<Registration?>(nil)
        registration.value = store.observe { [weak store] state in
            first.append(state)
            if state != 1 { return }
            registration.value?.cancel()
            store?.observe { added.append($0) }
        }
        let last = store.recorded()
        for _ in 0..<3 { store.dispatch(action: Increment()) }
        #expect(first.values == [0, 1])
        #expect(added.values == [1, 2, 3])
        #expect(last.values == [0, 1, 2, 3])
    }

    @Test("An observer that an earlier observer cancels is not notified of the current state")
    func cancellingAnother() {
        let store = Store(reducer: counting, initialState: 0)
        let registration = Guarded<Registration?>(nil)
        let states = Record<Int>()
        store.observe { if $0 == 1 { registration.value?.cancel() } }
        registration.value = store.observe { states.append($0) }
        store.dispatch(action: Increment())
        #expect(states.values == [0])
    }

    @Test("20, 65. Observers, effects, selections and interceptors read the state after the current action")
    func readingWithin() {
        let reader = Record<Int>()
        let store = Store(reducer: counting, initialState: 0)
        store.observe { [weak store] state in if store?.state == state { reader.append(state) } }
        let selection = store.select { $0 * 2 }
        store.select { $0 }.observe { [weak selection] state in
            if selection?.value == state * 2 { reader.append(state) }
        }
        store.intercept { [weak store] _, _, new in if store?.state == new { reader.append(new) } }
        store.register(
            Effect(dispatch: false) { actions in
                actions.handleEvents { [weak store] _ in reader.append(store?.state ?? -1) }
            })
        store.dispatch(action: Increment())
        #expect(reader.values == [0, 0, 1, 1, 1, 1])
    }
}
