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

    @Test("7. Combined reducers run from left to right, and an empty combination changes nothing")
    func leftToRight() {
        #expect(Self.result(of: combineReducers(Self.twice, Self.plusThree), from: 5) == 13)
        #expect(Self.result(of: combineReducers(), from: 5) == 5)
    }

    @Test("8. A reducer for a key changes only the value at that key")
    func oneKey() {
        let store = Store(reducer: Self.game, initialState: Game())
        store.dispatch(action: HomeScored())
        #expect(store.state == Game(home: Score(points: 1)))
    }

    @Test("9. If one action changes several keys, observers receive one new state")
    func severalKeys() {
        let store = Store(reducer: Self.game, initialState: Game(home: Score(points: 2), away: Score(points: 3)))
        let states = Record<Game>()
        store.observe { states.append($0) }
        store.dispatch(action: Reset())
        #expect(states.values == [Game(home: Score(points: 2), away: Score(points: 3)), Game()])
    }

    @Test("10. The nesting of combined reducers does not affect the result")
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

    @Test("11. A reducer may be registered while the store runs, cancelled, and registered again")
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

    @Test("A registered reducer runs after the existing ones")
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

    @Test("A reducer may return the new state instead of changing the state in place")
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
        "Changing one element of a large state that is observed and selected from copies nothing")
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
        // An interceptor receives the old state, so the store retains it. This shows that the test detects copies.
        #expect(arrays { $0.intercept { _, _, _ in } }.count > 1)
    }

    // MARK: - forEach

    private struct Player: Identifiable, Sendable, Equatable {
        var id: Int
        var points = 0
    }
    private struct PlayerScored: Action { let id: Int }

    @Test("forEach changes the first element with the action's id, and nothing for an unknown id or another action")
    func elements() {
        let reduce: ReducerFn<[Player]> = forEach(\.self, id: \PlayerScored.id) { player, _ in player.points += 1 }
        let store = Store(reducer: reduce, initialState: [Player(id: 1), Player(id: 2), Player(id: 2)])
        for action in [PlayerScored(id: 2), PlayerScored(id: 3), Reset()] as [any Action] {
            store.dispatch(action: action)
        }
        #expect(store.state == [Player(id: 1), Player(id: 2, points: 1), Player(id: 2)])
    }

    @Test("forEach changes an element in place")
    func elementsInPlace() {
        let addresses = Record<UInt>()
        let store = Store(
            reducer: combineReducers(
                forEach(\[Player].self, id: \PlayerScored.id) { player, _ in player.points += 1 },
                { players, _ in
                    addresses.append(players.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                }),
            initialState: (0..<1_000).map { Player(id: $0) })
        for id in 1...3 { store.dispatch(action: PlayerScored(id: id)) }
        #expect(Set(addresses.values).count == 1)
    }

    @Test("reducer(_:) lets a reducer that returns the state stand wherever one is expected")
    func returningEverywhere() {
        @Sendable func plusOne(_ state: Int, _ action: any Action) -> Int { action is Increment ? state + 1 : state }
        let scores: ReducerFn<Score> = forKey(\.points, use: reducer(plusOne))
        let game: ReducerFn<Game> = combineReducers(
            forKey(\.home, use: scores), reducer { game, _ in Game(home: game.home, away: game.home) })
        let store = Store(reducer: game, initialState: Game(), middleware: [Middleware { $2($0) }])
        store.register(reducer: forKey(\.away.points, use: reducer { points, _ in points * 10 }))
        store.dispatch(action: Increment())
        #expect(store.state == Game(home: Score(points: 1), away: Score(points: 10)))
    }
}
