import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReducerTests {
    private struct Score: Sendable, Equatable { var points = 0 }
    private struct Game: Sendable, Equatable {
        var home = Score()
        var away = Score()
    }

    private struct HomeScored: Action {}
    private struct Reset: Action {}

    private static let home: ReducerFn<Score> = combineReducers(
        on(HomeScored.self) { score, _ in score.points += 1 }, on(Reset.self) { score, _ in score.points = 0 })
    private static let away: ReducerFn<Score> = on(Reset.self) { score, _ in score.points = 0 }
    private static let game: ReducerFn<Game> = combineReducers(
        forKey(\Game.home, use: home), forKey(\Game.away, use: away))

    private static let twice: ReducerFn<Int> = { state, _ in state *= 2 }
    private static let plusThree: ReducerFn<Int> = { state, _ in state += 3 }
    private static let squared: ReducerFn<Int> = { state, _ in state *= state }

    private static func result(of reduce: ReducerFn<Int>, from state: Int) -> Int {
        var state = state
        reduce(&state, Increment())
        return state
    }

    @Test("7. Combined reducers act from left to right on one state; none of them changes nothing")
    func leftToRight() {
        #expect(Self.result(of: combineReducers(Self.twice, Self.plusThree), from: 5) == 13)
        #expect(Self.result(of: combineReducers(), from: 5) == 5)
    }

    @Test("8. A reducer for a key touches that alone")
    func oneKey() {
        let store = Store(reducer: Self.game, initialState: Game())
        store.dispatch(action: HomeScored())
        #expect(store.state == Game(home: Score(points: 1)))
    }

    @Test("9. One action may change several keys: observers see one state")
    func severalKeys() {
        let store = Store(reducer: Self.game, initialState: Game(home: Score(points: 2), away: Score(points: 3)))
        let states = Record<Game>()
        store.observe { states.append($0) }
        store.dispatch(action: Reset())
        #expect(states.values == [Game(home: Score(points: 2), away: Score(points: 3)), Game()])
    }

    @Test("10. How reducers are nested makes no difference")
    func associative() {
        let all = [Self.twice, Self.plusThree, Self.squared]
        for a in all {
            for b in all {
                for c in all {
                    for state in -3...3 {
                        let flat = Self.result(of: combineReducers(a, b, c), from: state)
                        #expect(Self.result(of: combineReducers(combineReducers(a, b), c), from: state) == flat)
                        #expect(Self.result(of: combineReducers(a, combineReducers(b, c)), from: state) == flat)
                    }
                }
            }
        }
    }

    @Test("11. A reducer may be registered while the store runs, taken back, and registered again")
    func atRunTime() {
        let store = Store(reducer: combineReducers(), initialState: Game())
        let adding: ReducerFn<Game> = forKey(\Game.home.points, use: { points, _ in points += 42 })
        let registration = store.register(reducer: adding)
        store.dispatch(action: Increment())
        #expect(store.state.home.points == 42)
        registration.cancel()
        store.dispatch(action: Increment())
        #expect(store.state.home.points == 42)
        store.register(reducer: adding)
        store.dispatch(action: Increment())
        #expect(store.state.home.points == 84)
    }

    @Test("A reducer that is registered acts after those that there are, from the next action on")
    func afterTheOthers() {
        let store = Store(reducer: Self.twice, initialState: 5)
        let once = Once()
        store.observe { [weak store] _ in
            if once.isFirst() { store?.register(reducer: Self.plusThree) }
        }
        store.dispatch(action: Increment())
        store.register(reducer: Self.squared)
        store.dispatch(action: Increment())
        #expect(store.state == (13 * 2 + 3) * (13 * 2 + 3))
    }

    @Test("A reducer that returns the new state does what one in place does")
    func returning() {
        let store = Store(reducer: { (state: Int, action: any Action) in state + 1 }, initialState: 0)
        store.dispatch(action: Increment())
        #expect(store.state == 1)
        #expect(Self.result(of: reducer { state, _ in state + 2 }, from: 1) == 3)
    }

    @Test("A reducer for a part that is absent changes nothing")
    func absentPart() {
        let reduce: ReducerFn<[Int]> = forPart(Affine<[Int], Int>.index(1), use: counting)
        var (short, long) = ([1], [1, 1])
        reduce(&short, Increment())
        reduce(&long, Increment())
        #expect(short == [1])
        #expect(long == [1, 2])
    }

    @Test(
        "One element of a large state is changed in place, told of by observers and selections, and nothing is copied")
    func inPlace() {
        struct Table: Sendable { var rows = [Int](repeating: 0, count: 100_000) }
        @Sendable func address(_ table: borrowing Table) -> UInt {
            table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        func arrays(_ prepare: (Store<Table>) -> Void) -> (count: Int, row: Int) {
            let addresses = Record<UInt>()
            let store = Store(
                reducer: combineReducers(
                    { table, _ in addresses.append(address(table)) },
                    forPart(Lens(\Table.rows).index(7), use: counting),
                    { table, _ in addresses.append(address(table)) }),
                initialState: Table(),
                effects: [Effect(dispatch: false) { actions in actions.ofType(Increment.self).eraseActionType() }])
            store.observe { addresses.append(address($0)) }
            store.select(\.rows[7]).observe { _ in }
            prepare(store)
            for _ in 0..<3 { store.dispatch(action: Increment()) }
            return (Set(addresses.values).count, store.state.rows[7])
        }
        #expect(arrays { _ in } == (count: 1, row: 3))
        #expect(arrays { $0.add(Middleware { action, _, next in next(action) }) } == (count: 1, row: 3))
        // Who wants to see the state before keeps it; so this test sees copies.
        #expect(arrays { $0.intercept { _, _, _ in } }.count > 1)
    }
}
