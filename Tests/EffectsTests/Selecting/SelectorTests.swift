import Effects
import TestSupport
import Testing

@Suite("createSelector", .timeLimit(.minutes(10))) struct SelectorTests {
    private let store = Store(reducer: scoring, initialState: Scores())

    /// Dispatches the actions of the reference's tests. Returns how often the transform ran, and the observed values.
    private func runs<Value: Equatable & Sendable>(
        _ make: (@escaping @Sendable () -> Void) -> Selector<Scores, Value>
    ) -> (runs: Int, values: [Value]) {
        let (runs, values) = (Record<Void>(), Record<Value>())
        let selector = make { runs.append(()) }
        store.select(selector).observe { values.append($0) }
        store.dispatch(action: AwayScored())
        store.dispatch(action: HomeScored())
        for _ in 1...3 { store.dispatch(action: AwayScored()) }
        return (runs.values.count, values.values)
    }

    @Test("56. A selector with one input runs its transform only if the input has changed")
    func oneInput() {
        let result = runs { ran in
            createSelector(\Scores.home) { home in
                ran()
                return home
            }
        }
        #expect(result.runs == 2)
        #expect(result.values == [0, 1])
    }

    @Test("56. A selector with two inputs runs its transform only if an input has changed")
    func twoInputs() {
        let result = runs { ran in
            createSelector(\Scores.home, \.winner) { home, winner in
                ran()
                return "\(home) \(winner ?? "nobody")"
            }
        }
        #expect(result.runs == 2)
        #expect(result.values == ["0 nobody", "1 nobody"])
    }

    @Test("56. A selector with nine inputs runs its transform only if an input has changed")
    func nineInputs() {
        let result = runs { ran in
            createSelector(
                \Scores.winner, \.winner, \.winner, \.winner, { _ in true }, { _ in 1 }, { _ in 2.5 }, { _ in "a" },
                \.home
            ) { _, _, _, _, five, six, seven, eight, home in
                ran()
                return "\(five) \(six) \(seven) \(eight) \(home)"
            }
        }
        #expect(result.runs == 2)
        #expect(result.values == ["true 1 2.5 a 0", "true 1 2.5 a 1"])
    }

    @Test("56. A selector with twelve inputs runs its transform only if an input has changed")
    func twelveInputs() {
        let result = runs { ran in
            createSelector(
                \Scores.home, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner, \.winner,
                \.winner, \.winner
            ) { home, _, _, _, _, _, _, _, _, _, _, _ in
                ran()
                return home
            }
        }
        #expect(result.runs == 2)
        #expect(result.values == [0, 1])
    }

    @Test("56. A selector without inputs runs its transform once")
    func noInput() {
        let result = runs { ran in
            createSelector(
                transform: {
                    ran()
                    return 7
                }) as Selector<Scores, Int>
        }
        #expect(result.runs == 1)
        #expect(result.values == [7])
    }

    @Test("57. Equal inputs of different states do not rerun the transform, even after a nil result")
    func nilIsRemembered() {
        let runs = Record<Void>()
        let winner = createSelector(\Scores.winner, \.home) { winner, _ -> String? in
            runs.append(())
            return winner
        }.memoized()
        for away in 0..<5 { #expect(winner(Scores(away: away)) == nil) }
        #expect(runs.values.count == 1)
        #expect(winner(Scores(winner: "a")) == "a")
        #expect(runs.values.count == 2)
    }

    @Test("57. A selector compares its inputs and not the state, which need not be Equatable")
    func statesThatAreNotEquatable() {
        struct Opaque: Sendable { var number = 1 }
        let runs = Record<Void>()
        let doubled = createSelector(\Opaque.number) { number in
            runs.append(())
            return number * 2
        }.memoized()
        #expect([doubled(Opaque()), doubled(Opaque()), doubled(Opaque(number: 4))] == [2, 2, 8])
        #expect(runs.values.count == 2)
    }

    @Test("56. A selector remembers only the inputs of the previous call")
    func memoryOfOne() {
        let runs = Record<Void>()
        let home = createSelector(\Scores.home) { home in
            runs.append(())
            return home
        }.memoized()
        #expect([0, 1, 0, 0].map { home(Scores(home: $0)) } == [0, 1, 0, 0])
        #expect(runs.values.count == 3)
    }

    @Test("58. A selector that is called directly runs its transform with every call")
    func directCallsComputeAnew() {
        let runs = Record<Void>()
        let home = createSelector(\Scores.home) { home in
            runs.append(())
            return home
        }
        for _ in 1...3 { #expect(home(Scores()) == 0) }
        #expect(runs.values.count == 3)
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
        let runs = Record<Void>()
        let lead = createSelector(\Scores.home, \.away) { home, away in
            runs.append(())
            return home - away
        }
        let text = combineSelectors(lead, Selector(\.winner)) { "\($0) \($1 ?? "nobody")" }
        let values = Record<String>()
        store.select(text).observe { values.append($0) }
        for action in [Touched(), Won(name: "a"), Touched(), HomeScored()] as [any Action] {
            store.dispatch(action: action)
        }
        #expect(values.values == ["0 nobody", "0 a", "1 a"])
        #expect(runs.values.count == 2)
    }

    @Test("60. Stores and observers that share a selector do not evict each other's memory")
    func memoriesAreOfTheirOwn() {
        let runs = Record<Int>()
        let home = createSelector(\Scores.home) { home in
            runs.append(home)
            return home
        }
        let other = Store(reducer: scoring, initialState: Scores(home: 10))
        let values = Record<Int>()
        for store in [store, other] { store.select(home).observe { values.append($0) } }
        for _ in 1...10 {
            store.dispatch(action: Touched())
            other.dispatch(action: Touched())
        }
        #expect(runs.values == [0, 10])
        store.select(home).observe { values.append($0) }
        store.dispatch(action: HomeScored())
        #expect(runs.values == [0, 10, 0, 1, 1])
        #expect(values.values == [0, 10, 0, 1, 1])
    }

    @Test(
        "A selection and its input selectors compute their values once while the inputs are unchanged")
    func valuesAreRemembered() {
        let (inner, outer) = (Record<Void>(), Record<Void>())
        let lead = createSelector(\Scores.home, \.away) { home, away in
            inner.append(())
            return home - away
        }
        let selection = store.select(
            combineSelectors(lead) { lead in
                outer.append(())
                return "\(lead)"
            })
        for _ in 1...10 { #expect(selection.value == "0") }
        store.dispatch(action: Won(name: "a"))
        #expect(selection.value == "0")
        #expect(inner.values.count == 1)
        #expect(outer.values.count == 1)
        store.dispatch(action: HomeScored())
        for _ in 1...10 { #expect(selection.value == "1") }
        #expect(inner.values.count == 2)
        #expect(outer.values.count == 2)
    }

    @Test("Threads that read a remembered value do not compute it again")
    func threadsShareTheMemory() {
        let runs = Record<Void>()
        let selection = store.select(
            createSelector(\.home) { home in
                runs.append(())
                return "\(home)"
            })
        #expect(selection.value == "0")
        onThreads(8) { _ in
            for _ in 0..<1_000 where selection.value != "0" { runs.append(()) }
        }
        #expect(runs.values.count == 1)
    }

    @Test("Reading a selection while its value is computed does not deadlock")
    func nestedReads() {
        let (nested, selection) = (Record<Int>(), Guarded<Selection<Int>?>(nil))
        let isNested = Guarded(false)
        let read: @Sendable () -> Void = {
            let isOutermost = isNested.withLock { isNested in
                defer { isNested = true }
                return !isNested
            }
            guard isOutermost, let selection = selection.withLock({ $0 }) else { return }
            nested.append(selection.value)
            isNested.withLock { $0 = false }
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
        selection.withLock { $0 = store.select(home) }
        #expect(selection.withLock { $0 }?.value == 0)
        store.dispatch(action: HomeScored())
        #expect(selection.withLock { $0 }?.value == 1)
        #expect(nested.values == [0, 1, 1])
        selection.withLock { $0 = nil }
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
            createSelector(\.home) { home in
                runs.append(factor)
                return home * factor
            }
        }
        let values = Record<Int>()
        let (two, three) = (store.select(home(times: 2)), store.select(home(times: 3)))
        two.observe { values.append($0) }
        three.observe { values.append($0) }
        for _ in 1...3 { #expect([two.value, three.value] == [0, 0]) }
        #expect(runs.values == [2, 3, 2, 3], "One for each observer, and one for the reads of each selection.")
        store.dispatch(action: AwayScored())
        store.dispatch(action: HomeScored())
        for _ in 1...3 { #expect([two.value, three.value] == [2, 3]) }
        #expect(runs.values == [2, 3, 2, 3, 2, 3, 2, 3])
        #expect(values.values == [0, 0, 2, 3])
    }
}
