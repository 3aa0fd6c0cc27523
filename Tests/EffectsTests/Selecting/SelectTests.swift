import Effects
import TestSupport
import Testing

@Suite("select", .timeLimit(.minutes(10))) struct SelectTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    @Test("55. Each observer receives the current value and then each different one")
    func distinctValues() {
        store.dispatch(HomeScored())
        let home = store.select(\.home)
        let early = home.recorded()
        store.dispatch(Touched(), HomeScored(), Touched())
        let late = home.recorded()
        store.dispatch(HomeScored())
        #expect(early.values == [1, 2, 3])
        #expect(late.values == [2, 3])
    }

    @Test("55, 62. An observer receives an earlier value again, or nil, if another value came in between")
    func returningValues() {
        let values = store.select(\.winner).recorded()
        for name in ["a", "b", "a", "a", nil, nil] { store.dispatch(Won(name: name)) }
        #expect(values.values == [nil, "a", "b", "a", nil])
    }

    @Test("63. A predicate on the last reported and the new value decides what is a repetition")
    func customRepetitions() {
        // Skips values with equal quotients; skips values that do not rise; skips values that differ.
        let coarse = store.select({ $0.home }, by: { $0 / 3 == $1 / 3 }).recorded()
        let rising = store.select({ $0.home - $0.away }, by: { old, new in new <= old }).recorded()
        let equal = store.select({ $0.home }, by: { old, new in !(new == old) }).recorded()
        for _ in 1...4 { store.dispatch(HomeScored()) }
        for _ in 1...2 { store.dispatch(AwayScored()) }
        for _ in 1...3 { store.dispatch(HomeScored()) }
        #expect(coarse.values == [0, 3, 6])
        #expect(rising.values == [0, 1, 2, 3, 4, 5])
        #expect(equal.values == [0])
    }

    @Test("63. Values that are not Equatable can be selected with a predicate")
    func valuesThatAreNotEquatable() {
        struct Score: Sendable { let points: Int }
        let values = store.select({ Score(points: $0.home) }, by: { $0.points == $1.points }).recorded()
        store.dispatch(Touched(), HomeScored())
        #expect(values.values.map(\.points) == [0, 1])
    }

    @Test("59. A function of the state is a selector, and can be tested without a store")
    func plainFunctions() {
        @Sendable func lead(_ scores: Scores) -> Int { scores.home - scores.away }
        #expect(lead(Scores(home: 3, away: 1)) == 2)
        let values = store.select(lead).recorded()
        store.dispatch(AwayScored())
        #expect(values.values == [0, -1])
    }
}
