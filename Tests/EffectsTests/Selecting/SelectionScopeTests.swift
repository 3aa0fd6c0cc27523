import Effects
import FunctionalCore
import Observation
import Optics
import TestSupport
import Testing

@Suite("Selection: scopes", .timeLimit(.minutes(10))) struct SelectionScopeTests {
    private struct Match: Equatable, Sendable {
        var scores = Scores()
        var rounds = [Round(id: 1), Round(id: 2)]
        var note: Scores?
    }

    private struct Round: Equatable, Sendable, Identifiable {
        let id: Int
        var points = 0
    }

    private struct RoundScored: Action { let id: Int }
    private struct RoundRemoved: Action { let id: Int }
    private struct NoteSet: Action { let note: Scores? }

    private static let reducer: ReducerFn<Match> = combineReducers(
        forKey(\.scores, use: scoring),
        forPart(Lens(\Match.note).some(), use: scoring),
        forEach(\.rounds, id: \RoundScored.id) { round, _ in round.points += 1 },
        on(RoundRemoved.self) { match, removed in match.rounds.removeAll { $0.id == removed.id } },
        on(NoteSet.self) { match, set in match.note = set.note }
    )

    private let store = Store(reducer: Self.reducer, initialState: Match())

    // MARK: - A part that is always present

    @Test("A scope dispatches to the store, and notifies observers of its current and each different value")
    func observing() {
        let (scores, values) = (store.scope(state: \.scores), Record<Scores>())
        let registration = scores.observe { values.append($0) }
        store.dispatch(RoundScored(id: 1))
        scores.dispatch(action: HomeScored())
        store.dispatch(Touched(), AwayScored())
        registration.cancel()
        store.dispatch(HomeScored())
        #expect(values.values == [Scores(), Scores(home: 1), Scores(home: 1, away: 1)])
        #expect(scores.value == Scores(home: 2, away: 1))
        #expect(store.state.scores == scores.value)
    }

    @Test("values() of a scope emits the different values, and ends with the store")
    func values() async {
        var store: Store<Match>? = Store(reducer: Self.reducer, initialState: Match())
        let home = { store!.scope(state: \.scores.home) }
        let streams = [home().values(), home().values(buffering: .bufferingNewest(1))]
        store!.dispatch(HomeScored(), Touched(), HomeScored())
        store = nil
        #expect(await elements(of: streams) == [[0, 1, 2], [2]])
    }

    @Test("A scope selects, by a closure, a key path, a predicate and a selector")
    func selecting() {
        let scores = store.scope(state: \.scores)
        let computed = Record<Int>()
        let home = scores.select(\.home).recorded()
        let sums = scores.select { $0.home + $0.away }.recorded()
        let halves = scores.select({ $0.home }, by: { $0 / 2 == $1 / 2 }).recorded()
        let selected = scores.select(createSelector(\.home) { computed.passing($0) * 10 }).recorded()
        store.dispatch(HomeScored(), AwayScored(), RoundScored(id: 1), HomeScored())
        #expect(home.values == [0, 1, 2])
        #expect(sums.values == [0, 1, 2, 3])
        #expect(halves.values == [0, 2])
        #expect(selected.values == [0, 10, 20])
        #expect(computed.values == [0, 1, 2])
    }

    @Test("A scope of a scope is a view of the inner part")
    @MainActor func nested() {
        let home = store.scope(state: \.self).scope(state: \.scores).scope(state: \.home)
        let values = home.recorded()
        let tracking = Tracking { store.scope(state: \.scores).scope(state: \.home).value }
        store.dispatch(AwayScored())
        #expect(tracking.notifications == 0)
        home.dispatch(action: HomeScored())
        #expect(tracking.notifications == 1)
        #expect(values.values == [0, 1])
        #expect(home.value == 1)
    }

    @Test("A selection that `select` or an operator returns dispatches, scopes and registers, as a scope does")
    func selections() {
        let log = Log()
        for scores in [store.select(\.scores), store.select { $0 }.map(\.scores), store.select(\.scores).dropFirst()] {
            let home = scores.scope(state: \.home)
            let registration = home.register(
                Effect(dispatch: false) { $0.handleEvents { _ in log.append("\(home.value)") } })
            scores.dispatch(action: HomeScored())
            registration.cancel()
        }
        #expect(log.lines == ["1", "2", "3"])
    }

    @Test("The id of a selection is that of its value, also of a value that is computed from a row")
    func ids() throws {
        struct Wrapped: Identifiable, Equatable { let id: String }
        let row = try #require(store.scopes(state: \.rounds).last)
        #expect(row.id == 2)
        #expect(row.map { Wrapped(id: "row \($0.id)") }.id == "row 2")
        #expect(row.scope(state: \.self).dropFirst().id == 2)
        #expect(store.select(\.rounds[0]).id == 1)
    }

    @Test("Tracking a scope's value notifies only if the part changes, also if the scope is created inline")
    @MainActor func tracking() {
        let tracking = Tracking { store.scope(state: \.scores).value.home }
        store.dispatch(RoundScored(id: 1), Touched())
        #expect(tracking.notifications == 0)
        store.dispatch(AwayScored(), HomeScored())
        #expect(tracking.notifications == 1)
    }

    @Test("Effects that a scope registers receive all actions, and end with their registration")
    func effects() {
        let log = Log()
        let registration = store.scope(state: \.scores).register(
            Effect(dispatch: false) { $0.handleEvents { log.append("\(type(of: $0))") } })
        store.dispatch(HomeScored(), RoundScored(id: 1))
        registration.cancel()
        store.dispatch(HomeScored())
        #expect(log.lines == ["HomeScored", "RoundScored"])
    }

    @Test("An observer of a scope that dispatches is notified of each value in order")
    func dispatchingAgain() {
        let values = Record<Int>()
        let home = store.scope(state: \.scores.home)
        home.observe { [weak home] value in
            values.append(value)
            if value < 3 { home?.dispatch(action: HomeScored()) }
        }
        #expect(values.values == [0, 1, 2, 3])
    }

    @Test("A scope retains its store, and neither its observers nor tracked reads do")
    @MainActor func lifetimes() {
        var store: Store<Match>? = Store(reducer: Self.reducer, initialState: Match())
        weak let weakStore = store
        var scope: Selection<Int>? = store!.scope(state: \.scores).scope(state: \.home)
        var round = store!.scope(part: Lens(\Match.rounds).element(id: 1))
        scope?.observe { _ in }
        round?.observe { _ in }
        let tracking = Tracking { (scope?.value, round?.value) }
        store = nil
        scope = nil
        #expect(weakStore != nil)
        #expect(round?.value == Round(id: 1))
        round = nil
        #expect(weakStore == nil)
        #expect(tracking.notifications == 0)
    }

    @Test("A scope that is observed does not make a reducer copy an array of another part of it")
    func inPlace() {
        struct Table: Equatable, Sendable {
            var rows = [Int](repeating: 0, count: 1_000)
            var title = ""
        }
        struct Tables: Sendable { var table = Table() }
        let addresses = Record<UInt>()
        let store = Store(
            reducer: combineReducers(
                forKey(\Tables.table.rows[7], use: counting),
                { tables, _ in
                    addresses.append(tables.table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                }),
            initialState: Tables())
        let table = store.scope(state: \.table)
        table.select(\.title).observe { _ in }
        table.scope(state: \.rows[7]).observe { _ in }
        for _ in 1...3 { store.dispatch(action: Increment()) }
        #expect(Set(addresses.values).count == 1)
    }

    // MARK: - A part that may be absent

    @Test("A scope of an absent part is nil, and one of a present part has its value")
    func absentParts() throws {
        let note = Lens(\Match.note).some()
        #expect(store.scope(part: note) == nil)
        store.dispatch(NoteSet(note: Scores(home: 5)))
        let scope = try #require(store.scope(part: note))
        scope.dispatch(action: HomeScored())
        #expect(scope.value.home == 6)
        #expect(scope.scope(state: \.home).value == 6)
    }

    @Test("While its part is absent, a scope keeps the value that was read last, does not notify, and continues later")
    @MainActor func disappearing() throws {
        let second = Lens(\Match.rounds).element(id: 2)
        store.dispatch(RoundScored(id: 2))
        let round = try #require(store.scope(part: second))
        let values = Record<Int>()
        round.observe { values.append($0.points) }
        store.dispatch(RoundScored(id: 1), RoundScored(id: 2))
        #expect(round.value == Round(id: 2, points: 2))
        store.dispatch(RoundRemoved(id: 2), RoundScored(id: 2))
        #expect(round.value == Round(id: 2, points: 2))
        #expect(store.scope(part: second) == nil)
        #expect(values.values == [1, 2])

        store.dispatch(NoteSet(note: Scores()))
        let note = try #require(store.scope(state: \.self).scope(part: Lens(\Match.note).some()))
        let homes = note.select(\.home).recorded()
        store.dispatch(NoteSet(note: nil), NoteSet(note: Scores(home: 7)))
        #expect(note.value.home == 7)
        #expect(homes.values == [0, 7])
    }

    @Test("Tracking the creation of an optional scope notifies when its part appears or disappears, and only then")
    @MainActor func trackingPresence() {
        let note = Lens(\Match.note).some()
        let appearing = Tracking { store.scope(part: note) == nil }
        store.dispatch(HomeScored(), Touched())
        #expect(appearing.notifications == 0)
        store.dispatch(NoteSet(note: Scores()))
        #expect(appearing.notifications == 1)
        let disappearing = Tracking { store.scope(part: note) == nil }
        store.dispatch(HomeScored())
        #expect(disappearing.notifications == 0)
        store.dispatch(NoteSet(note: nil))
        #expect(disappearing.notifications == 1)
    }

    @Test("Tracking the value of an element does not notify when another element changes")
    @MainActor func trackingElements() {
        let tracking = Tracking { store.scope(part: Lens(\Match.rounds).element(id: 1))?.value.points }
        store.dispatch(RoundScored(id: 2), HomeScored())
        #expect(tracking.notifications == 0)
        store.dispatch(RoundScored(id: 1))
        #expect(tracking.notifications == 1)
    }
}
