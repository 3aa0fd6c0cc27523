import Effects
import TestSupport
import Testing

struct Increment: Action {}
struct Add: Action { let amount: Int }
struct Acknowledged: Action {}

let counting: ReducerFn<Int> = combineReducers(
    on(Increment.self) { count, _ in count += 1 },
    on(Add.self) { count, add in count += add.amount }
)

@Suite struct StoreTests {
    @Test("1, 2. A subscriber gets the state at once, and dispatching is synchronous")
    func initialValue() {
        let store = Store(reducer: counting, initialState: 3)
        let states = Record<Int>()
        store.observe { states.append($0) }
        #expect(states.values == [3])
        store.dispatch(action: Increment())
        #expect(store.state == 4)
        #expect(states.values == [3, 4])
    }

    @Test("28, 23. What an effect emits is dispatched, after everybody has seen its cause")
    func answers() {
        let log = Log()
        let first = Effect { actions in
            actions.ofType(Increment.self).map { _ in Acknowledged() }.eraseActionType()
        }
        let second = Effect(dispatch: false) { actions in
            actions.handleEvents { log.append("\($0)") }
        }
        let store = Store(reducer: counting, initialState: 0, effects: [first, second])
        store.dispatch(action: Increment())
        #expect(log.lines == ["Increment()", "Acknowledged()"])
    }

    @Test func selectors() {
        let store = Store(reducer: counting, initialState: 0)
        let parity = createSelector(
            { (count: Int) in count % 2 }, { $0 / 10 }, transform: { odd, tens in "\(odd) \(tens)" })
        let values = Record<String>()
        store.select(parity).observe { values.append($0) }
        store.dispatch(action: Add(amount: 2))
        store.dispatch(action: Increment())
        #expect(values.values == ["0 0", "1 0"])
    }
}
