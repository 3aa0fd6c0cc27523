import Effects
import TestSupport
import Testing

@Suite("select", .timeLimit(.minutes(10))) struct SelectTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    @Test("55. An observer of a selection receives the current value and then each different one")
    func distinctValues() {
        store.dispatch(action: HomeScored())
        let values = Record<Int>()
        store.select(\.home).observe { values.append($0) }
        store.dispatch(action: Touched())
        store.dispatch(action: HomeScored())
        store.dispatch(action: Touched())
        #expect(values.values == [1, 2])
    }

    @Test("55. An observer receives an earlier value again if another value came in between")
    func returningValues() {
        let values = Record<String?>()
        store.select(\.winner).observe { values.append($0) }
        for name in ["a", "b", "a", "a"] { store.dispatch(action: Won(name: name)) }
        #expect(values.values == [nil, "a", "b", "a"])
    }

    @Test("55. Each observer of a selection begins with the current value")
    func independentObservers() {
        let (early, late) = (Record<Int>(), Record<Int>())
        let home = store.select(\.home)
        home.observe { early.append($0) }
        store.dispatch(action: HomeScored())
        home.observe { late.append($0) }
        store.dispatch(action: HomeScored())
        #expect(early.values == [0, 1, 2])
        #expect(late.values == [1, 2])
        #expect(home.value == 2)
    }

    @Test("62. A change of an optional part to nil notifies observers")
    func becomingNil() {
        store.dispatch(action: Won(name: "a"))
        let values = Record<String?>()
        store.select(\.winner).observe { values.append($0) }
        store.dispatch(action: Won(name: nil))
        store.dispatch(action: Won(name: nil))
        #expect(values.values == ["a", nil])
    }

    @Test("63. A predicate on the last reported and the new value decides what is a repetition")
    func customRepetitions() {
        let (coarse, rising, equal) = (Record<Int>(), Record<Int>(), Record<Int>())
        // Skips values with equal quotients; skips values that do not rise; skips values that differ.
        store.select({ $0.home }, by: { $0 / 3 == $1 / 3 }).observe { coarse.append($0) }
        store.select({ $0.home - $0.away }, by: { old, new in new <= old }).observe { rising.append($0) }
        store.select({ $0.home }, by: { old, new in !(new == old) }).observe { equal.append($0) }
        for _ in 1...4 { store.dispatch(action: HomeScored()) }
        for _ in 1...2 { store.dispatch(action: AwayScored()) }
        for _ in 1...3 { store.dispatch(action: HomeScored()) }
        #expect(coarse.values == [0, 3, 6])
        #expect(rising.values == [0, 1, 2, 3, 4, 5])
        #expect(equal.values == [0])
    }

    @Test("63. Values that are not Equatable can be selected with a predicate")
    func valuesThatAreNotEquatable() {
        struct Score: Sendable { let points: Int }
        let values = Record<Int>()
        store.select({ Score(points: $0.home) }, by: { $0.points == $1.points }).observe { values.append($0.points) }
        store.dispatch(action: Touched())
        store.dispatch(action: HomeScored())
        #expect(values.values == [0, 1])
    }

    @Test("59. A function of the state is a selector, and can be tested without a store")
    func plainFunctions() {
        @Sendable func lead(_ scores: Scores) -> Int { scores.home - scores.away }
        #expect(lead(Scores(home: 3, away: 1)) == 2)
        let values = Record<Int>()
        store.select(lead).observe { values.append($0) }
        store.dispatch(action: AwayScored())
        #expect(values.values == [0, -1])
    }
}
