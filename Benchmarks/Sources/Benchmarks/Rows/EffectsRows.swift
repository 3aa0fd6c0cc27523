import Effects
import FunctionalCore

private let section = "Effects"

var effectsRows: [Row] {
    [
        Row(section, "dispatch, plain reducer", peer: "ReCombine 228", isCounted: true) {
            let none = dispatching("no observer", [])
            return [
                .time("no observer", none, Baseline.lock()),
                .time("1 observer", dispatching("1 observer", [], observers: 1), none),
                .time("100 observers", dispatching("100 observers", [], observers: 100), none),
            ]
        },
        Row(section, "100 on(_:) reducers, one matches", peer: "ReCombine 12,597") {
            let hundred = reducing("on(_:)", reducers(100, types: Never.self))
            let comparing = reducing("types compared", comparing(100, types: Never.self))
            return [
                .time("against comparing types", hundred, comparing),
                .time("against one reducer", hundred, reducing("1 reducer", [counting]))
                    .pending(
                        goal: 1.5,
                        "a reducer is a function, so each is asked; none are combined by the type of action yet"),
            ]
        },
        Row(section, "100 effects, one matches", peer: "ReCombine 69,843", isCounted: true) {
            let seen = [Tally(), Tally()]
            let one = dispatching("1 effect", [listening(Add.self, seen[0])], seen: seen[0])
            let hundred = dispatching("100 effects", [listening(Add.self, seen[1])] + others(99), seen: seen[1])
            return [.time("", hundred, one)]
        },
        Row(section, "dispatch that an effect answers at once, 100 effects", peer: "ReCombine 93,336", isCounted: true)
        {
            let seen = Tally()
            let answer = Effect { actions in
                actions.ofType(Add.self).map { Answer(amount: $0.amount) }.eraseActionType()
            }
            let effects = [answer, listening(Answer.self, seen)] + others(98)
            return [.time("", dispatching("answered", effects, seen: seen), Baseline.lock())]
        },
        Row(section, "register an effect, dispatch, cancel") {
            let ten = registering(beside: 10)
            return [
                .time("beside 100 effects", registering(beside: 100), ten),
                .time("beside 1,000 effects", registering(beside: 1_000), ten),
            ]
        },
        Row(section, "observers, selections and effects, registered and cancelled, each") {
            let store = makeStore()
            let effect = listening(Add.self)
            func observers(_ count: Int) -> Subject {
                cancelling(count, { store.observe { use($0) } }, { $0.cancel() })
            }
            func selections(_ count: Int) -> Subject {
                cancelling(count, { store.select(\.other).observe { use($0) } }, { $0.cancel() })
            }
            func effects(_ count: Int) -> Subject {
                cancelling(count, { store.register(effect) }, { $0.cancel() })
            }
            return [
                .time("4,000 observers against 500", observers(4_000), observers(500)),
                .time("4,000 selections against 500", selections(4_000), selections(500)),
                .time("4,000 effects against 500", effects(4_000), effects(500)),
            ]
        },
        Row(section, "1,000 selections, none changes, each", peer: "ReSwift 776", isCounted: true) {
            let store = makeStore()
            for _ in 0..<1_000 { store.select(\.other).observe { use($0) } }
            let work = Subject("select", expecting: 1) {
                let before = store.state.count
                store.dispatch(action: Add(amount: opaque(1)))
                return store.state.count &- before
            }
            return [.time("", work, Baseline.alloc())]
        },
        Row(section, "selector", peer: "ReCombine 380 / 1,013", isCounted: true) {
            let alloc = Baseline.alloc()
            let boxed = "the tuple of the inputs is allocated for each read"
            return [
                .time("inputs unchanged", selecting("unchanged", step: 0), alloc)
                    .pending(goal: 2, boxed),
                .time("inputs changed", selecting("changed", step: 1), alloc)
                    .pending(goal: 2, boxed),
            ]
        },
        Row(section, "state with a 100,000-element array, one element changed", peer: "copies") {
            [.time("", stateElements(100_000), stateElements(10))]
        },
        Row(section, "dispatch, 4 threads of 250,000, exact", peer: "ReCombine loses 30 %") {
            [.time("", threads(4, sends: 250_000).onAllCores, Baseline.lock()).withoutBar]
        },
    ]
}

struct Counts: Sendable {
    var count = 0
    var other = 0
}

struct Add: Action {
    let amount: Int
}

struct Answer: Action {
    let amount: Int
}

let counting: ReducerFn<Counts> = on(Add.self) { counts, add in counts.count &+= add.amount }

func makeStore(_ effects: [Effect<Void>] = []) -> Store<Counts> {
    opaque(Store(reducer: counting, initialState: Counts(), effects: effects))
}

/// `seen` counts the actions that the effects and observers have met; each action meets one effect at most.
private func dispatching(
    _ name: String, _ effects: [Effect<Void>], seen: Tally? = nil, observers: Int = 0
) -> Subject {
    let store = makeStore(effects)
    let seen = seen ?? Tally()
    for _ in 0..<observers { store.observe { _ in seen.count &+= 1 } }
    return Subject(name, expecting: [499_500, effects.isEmpty ? 1_000 * observers : 1_000]) {
        let before = [store.state.count, seen.count]
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index))) }
        return [store.state.count &- before[0], seen.count &- before[1]]
    }
}

// MARK: - Effects

func listening<Kind: Action>(_ type: Kind.Type, _ seen: Tally = Tally()) -> Effect<Void> {
    Effect(dispatch: false) { actions in actions.ofType(type).handleEvents { _ in seen.count &+= 1 }.eraseActionType() }
}

func registering(beside count: Int) -> Subject {
    let store = makeStore(Array(repeating: listening(Answer.self), count: count))
    store.dispatch(action: Answer(amount: 1))
    let seen = Tally()
    let effect = listening(Add.self, seen)
    return Subject("\(count) effects", operations: 100, expecting: 100) {
        let before = seen.count
        for index in 0..<100 {
            let registration = store.register(effect)
            store.dispatch(action: Add(amount: opaque(index)))
            registration.cancel()
        }
        return seen.count &- before
    }
}

/// Any number of action types.
private struct Another<Before>: Action {}

private func others(_ count: Int) -> [Effect<Void>] {
    func others<Before>(_: Before.Type, _ left: Int) -> [Effect<Void>] {
        left == 0 ? [] : [listening(Another<Before>.self)] + others(Another<Before>.self, left - 1)
    }
    return others(Never.self, count)
}

// MARK: - Reducers

private func reducers<Before>(_ count: Int, types _: Before.Type) -> [ReducerFn<Counts>] {
    if count == 1 { return [counting] }
    return [on(Another<Before>.self) { counts, _ in counts.other &+= 1 }]
        + reducers(count - 1, types: Another<Before>.self)
}

/// The same by hand, and without casts.
private func comparing<Before>(_ count: Int, types _: Before.Type) -> [ReducerFn<Counts>] {
    if count == 1 { return [counting] }
    return [reducer(ifTypeIs: Another<Before>.self) { counts in counts.other &+= 1 }]
        + comparing(count - 1, types: Another<Before>.self)
}

private func reducer(
    ifTypeIs type: any Action.Type, _ reduce: @escaping @Sendable (inout Counts) -> Void
) -> ReducerFn<Counts> {
    { counts, action in if Swift.type(of: action) == type { reduce(&counts) } }
}

func makeStore(_ reducers: [ReducerFn<Counts>]) -> Store<Counts> {
    let all: ReducerFn<Counts> = { counts, action in for reduce in reducers { reduce(&counts, action) } }
    return opaque(Store(reducer: all, initialState: Counts()))
}

private func reducing(_ name: String, _ reducers: [ReducerFn<Counts>]) -> Subject {
    let store = makeStore(reducers)
    return Subject(name, expecting: 499_500) {
        let before = store.state.count
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index))) }
        return store.state.count &- before
    }
}

// MARK: - Selectors

private func selecting(_ name: String, step: Int) -> Subject {
    let selector = opaque(createSelector({ (counts: Counts) in counts.count }, { $0.other }, transform: { $0 &+ $1 }))
    let select = selector.memoized()
    var counts = Counts()
    return Subject(name, expecting: 1_000 * step) {
        let before = select(counts)
        for _ in 0..<1_000 {
            counts.count &+= opaque(step)
            use(select(counts))
        }
        return select(counts) &- before
    }
}

// MARK: - A large state

private struct Elements: Sendable {
    var list: [Int]
}

func stateElements(_ count: Int) -> Subject {
    let store = Store(
        reducer: on(Add.self) { (state: inout Elements, add) in state.list[add.amount] &+= 1 },
        initialState: Elements(list: [Int](repeating: 0, count: count)))
    return Subject("\(count) elements", expecting: 1_000 / min(10, count)) {
        let before = store.state.list[0]
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index) % min(10, count))) }
        return store.state.list[0] &- before
    }
}

// MARK: - Threads

private func threads(_ count: Int, sends: Int) -> Threads {
    let store = Store(reducer: counting, initialState: Counts())
    return Threads(count, sends: sends) {
        store.dispatch(action: Add(amount: 1))
    } total: {
        try? await store.settled()
        return store.state.count
    }
}
