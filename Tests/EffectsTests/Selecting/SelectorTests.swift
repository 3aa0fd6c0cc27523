import Effects
import TestSupport
import Testing

@Suite("createSelector", .timeLimit(.minutes(10))) struct SelectorTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    /// Selectors of some inputs whose transforms record their results, and the results.
    static let selectors: [(inputs: Int, results: [String], make: @Sendable (Log) -> Selector<Scores, String>)] = [
        (0, ["7"], { runs in createSelector(transform: { runs.passing("7") }) }),
        (1, ["0", "1"], { runs in createSelector(\.home) { home in runs.passing("\(home)") } }),
        (
            2, ["0 nobody", "1 nobody"],
            { runs in
                createSelector(\.home, \.winner) { home, winner in runs.passing("\(home) \(winner ?? "nobody")") }
            }
        ),
        (
            9, ["true 1 2.5 a 0", "true 1 2.5 a 1"],
            { runs in
                createSelector(
                    \.winner, \.winner, \.winner, \.winner, { _ in true }, { _ in 1 }, { _ in 2.5 }, { _ in "a" },
                    \.home,
                    transform: { _, _, _, _, five, six, seven, eight, home in
                        runs.passing("\(five) \(six) \(seven) \(eight) \(home)")
                    })
            }
        ),
        (
            12, ["0", "1"],
            { runs in
                createSelector(
                    \.home, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner,
                    \.winner, \.winner
                ) { home, _, _, _, _, _, _, _, _, _, _, _ in runs.passing("\(home)") }
            }
        ),
    ]

    @Test("56. A selector runs its transform only if one of its inputs has changed", arguments: selectors.indices)
    func inputs(index: Int) {
        let (runs, expected) = (Log(), Self.selectors[index].results)
        let values = store.select(Self.selectors[index].make(runs)).recorded()
        store.dispatch(AwayScored(), HomeScored(), AwayScored(), AwayScored(), AwayScored())
        #expect(runs.values == expected)
        #expect(values.values == expected)
    }

    @Test("57. Equal inputs of different states do not rerun the transform, even after a nil result")
    func nilIsRemembered() {
        let runs = Record<String?>()
        let winner = createSelector(\Scores.winner, \.home) { winner, _ in runs.passing(winner) }.memoized()
        for away in 0..<5 { #expect(winner(Scores(away: away)) == nil) }
        #expect(runs.values == [nil])
        #expect(winner(Scores(winner: "a")) == "a")
        #expect(runs.values == [nil, "a"])
    }

    @Test("57. A selector compares its inputs and not the state, which need not be Equatable")
    func statesThatAreNotEquatable() {
        struct Opaque: Sendable { var number = 1 }
        let runs = Record<Int>()
        let doubled = createSelector(\Opaque.number) { runs.passing($0 * 2) }.memoized()
        #expect([doubled(Opaque()), doubled(Opaque()), doubled(Opaque(number: 4))] == [2, 2, 8])
        #expect(runs.values == [2, 8])
    }

    @Test("56. A selector remembers only the inputs of the previous call")
    func memoryOfOne() {
        let runs = Record<Int>()
        let home = createSelector(\Scores.home) { runs.passing($0) }.memoized()
        #expect([0, 1, 0, 0].map { home(Scores(home: $0)) } == [0, 1, 0, 0])
        #expect(runs.values == [0, 1, 0])
    }

    @Test("58. A selector that is called directly runs its transform with every call")
    func directCallsComputeAnew() {
        let runs = Record<Int>()
        let home = createSelector(\Scores.home) { runs.passing($0) }
        for _ in 1...3 { #expect(home(Scores()) == 0) }
        #expect(runs.values == [0, 0, 0])
    }

    @Test("59. A selector may be called without a store and be an input of another")
    func selectorsCompose() {
        let lead = createSelector(\Scores.home, \.away) { $0 - $1 }
        let isWinning = combineSelectors(lead, Selector(\.winner)) { lead, winner in lead > 0 && winner == nil }
        #expect(lead(Scores(home: 3, away: 1)) == 2)
        #expect(isWinning(Scores(home: 3, away: 1)))
        #expect(!isWinning(Scores(home: 3, away: 1, winner: "b")))
        #expect(!isWinning(Scores()))
    }

    @Test("56, 59. A selector that is an input of another selector also remembers its inputs")
    func inputsRemember() {
        let runs = Record<Int>()
        let lead = createSelector(\Scores.home, \.away) { runs.passing($0 - $1) }
        let text = combineSelectors(lead, Selector(\.winner)) { "\($0) \($1 ?? "nobody")" }
        let values = store.select(text).recorded()
        store.dispatch(Touched(), Won(name: "a"), Touched(), HomeScored())
        #expect(values.values == ["0 nobody", "0 a", "1 a"])
        #expect(runs.values == [0, 1])
    }

    @Test("60. Stores and observers that share a selector do not evict each other's memory")
    func memoriesAreOfTheirOwn() {
        let runs = Record<Int>()
        let home = createSelector(\Scores.home) { runs.passing($0) }
        let other = Store(reducer: scoring, initialState: Scores(home: 10))
        let values = Record<Int>()
        for store in [store, other] { store.select(home).observe { values.append($0) } }
        for _ in 1...10 {
            store.dispatch(Touched())
            other.dispatch(Touched())
        }
        #expect(runs.values == [0, 10])
        store.select(home).observe { values.append($0) }
        store.dispatch(HomeScored())
        #expect(runs.values == [0, 10, 0, 1, 1])
        #expect(values.values == [0, 10, 0, 1, 1])
    }

    @Test("A selection and its input selectors compute their values once while the inputs are unchanged, on any thread")
    func valuesAreRemembered() {
        let (inner, outer) = (Record<Int>(), Record<String>())
        let lead = createSelector(\Scores.home, \.away) { inner.passing($0 - $1) }
        let selection = store.select(combineSelectors(lead) { outer.passing("\($0)") })
        #expect(selection.value == "0")
        store.dispatch(Won(name: "a"))
        onThreads(8) { _ in
            for _ in 0..<1_000 where selection.value != "0" { outer.append("Wrong.") }
        }
        #expect(inner.values == [0])
        #expect(outer.values == ["0"])
        store.dispatch(HomeScored())
        for _ in 1...10 { #expect(selection.value == "1") }
        #expect(inner.values == [0, 1])
        #expect(outer.values == ["0", "1"])
    }

    @Test("Reading a selection while its value is computed does not deadlock")
    func nestedReads() {
        let (nested, selection) = (Record<Int>(), Guarded<Selection<Int>?>(nil))
        let isNested = Guarded(false)
        let read: @Sendable () -> Void = {
            guard !isNested.value, let selection = selection.value else { return }
            isNested.value = true
            nested.append(selection.value)
            isNested.value = false
        }
        /// Reads the selection when it is compared.
        struct Compared: Equatable, Sendable {
            let number: Int
            let read: @Sendable () -> Void
            static func == (left: Compared, right: Compared) -> Bool {
                left.read()
                return left.number == right.number
            }
        }
        let home = createSelector(
            { (scores: Scores) in Compared(number: scores.home, read: read) },
            transform: { home in
                read()
                return home.number
            })
        selection.value = store.select(home)
        #expect(selection.value?.value == 0)
        store.dispatch(HomeScored())
        #expect(selection.value?.value == 1)
        #expect(nested.values == [0, 1, 1])
        selection.value = nil
    }

    @Test("61. A selector may be called, and a selection observed and read, from any thread")
    func anyThread() async {
        let sum = createSelector(\Scores.home, \.away) { home, away in [home, away].reduce(0, +) }
        let selection = store.select(sum)
        let last = Record<Int>()
        onThreads(8) { [store] thread in
            var seen = -1
            for round in 0..<200 {
                if sum(Scores(home: round, away: thread)) != round + thread { last.append(-1) }
                store.dispatch(action: round.isMultiple(of: 2) ? HomeScored() : AwayScored())
                let value = selection.value
                if value < seen { last.append(-2) }
                seen = value
            }
            selection.observe { [previous = Guarded(-1)] value in
                previous.withLock {
                    if value < $0 { last.append(-3) }
                    $0 = value
                }
            }
        }
        #expect(last.values.isEmpty)
        // The draining thread may still process actions when the other threads have ended.
        #expect(await selection.values().first { $0 >= 1_600 } == 1_600)
    }

    // MARK: - Parameters

    @Test("A function that returns selectors has a parameter, and each selection remembers the value of its own")
    @MainActor func parameters() {
        let runs = Record<Int>()
        @Sendable func home(times factor: Int) -> Selector<Scores, Int> {
            createSelector(\.home) { home in runs.passing(factor) * home }
        }
        let (two, three) = (store.select(home(times: 2)), store.select(home(times: 3)))
        let values = [two.recorded(), three.recorded()]
        for _ in 1...3 { #expect([two.value, three.value] == [0, 0]) }
        #expect(runs.values == [2, 3, 2, 3], "One for each observer, and one for the reads of each selection.")
        store.dispatch(AwayScored(), HomeScored())
        for _ in 1...3 { #expect([two.value, three.value] == [2, 3]) }
        #expect(runs.values == [2, 3, 2, 3, 2, 3, 2, 3])
        #expect(values.map(\.values) == [[0, 2], [0, 3]])
    }
}
