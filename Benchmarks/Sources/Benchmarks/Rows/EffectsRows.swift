import Effects
import Foundation

private let section = "Effects"

var effectsRows: [Row] {
    [
        Row(section, "dispatch, plain reducer", original: "101 (not thread-safe)") {
            [.time("", dispatching("dispatch", []), Baseline.lock(), atMost: 2.5)]
        },
        Row(section, "100 on(_:) reducers, one matches", original: "12,597 (as? by hand)") {
            let comparing = reducing("types compared", comparing(100, types: Never.self))
            return [.time("", reducing("on(_:)", reducers(100, types: Never.self)), comparing, atMost: 1.2)]
        },
        Row(section, "100 effects, one matches", original: "18,691") {
            let one = dispatching("1 effect", [listening(Add.self)])
            return [.time("", dispatching("100 effects", [listening(Add.self)] + others(99)), one, atMost: 2)]
        },
        Row(section, "dispatch that an effect answers at once, 100 effects", original: "37,536") {
            let answer = Effect { actions in
                actions.ofType(Add.self).map { Answer(amount: $0.amount) }.eraseActionType()
            }
            return [.time("", dispatching("answered", [answer] + others(99)), Baseline.lock(), atMost: 10)]
        },
        Row(section, "register an effect, dispatch, cancel it, beside 1,000 and 10,000 effects") {
            let ten = registering(beside: 10)
            return [
                .time("1,000", registering(beside: 1_000), ten, atMost: 1.5),
                .time("10,000", registering(beside: 10_000), ten, atMost: 1.5),
            ]
        },
        Row(section, "1,000 select subscribers, none changes, each", original: "401") {
            let store = makeStore([])
            for _ in 0..<1_000 { store.select(\.other).observe { use($0) } }
            let work = Subject("select") { store.dispatch(action: Add(amount: opaque(1))) }
            return [.time("", work, Baseline.alloc(), atMost: 1)]
        },
        Row(section, "selector", original: "108 / 362") {
            let alloc = Baseline.alloc()
            return [
                .time("inputs unchanged", selecting("unchanged", step: 0), alloc, atMost: 1),
                .time("inputs changed", selecting("changed", step: 1), alloc, atMost: 3),
            ]
        },
        Row(section, "change one element of a 100,000-element array", original: "18,106") {
            [.time("", elements(100_000), elements(1_000), atMost: 1.4)]
        },
        Row(section, "memory of a subscription, of an effect", original: "829 B / 925 B") {
            [
                .bytes("subscription", of: "subscriptions", over: "no subscriptions", count: 100_000, atMost: 300),
                .bytes("effect", of: "effects", over: "no subscriptions", count: 100_000, atMost: 400),
            ]
        },
        Row(section, "4 threads, 1,000,000 dispatches", original: "loses 30 %, corrupts memory") {
            let threads = DispatchingThreads()
            return [.time("exact", threads.subject, Baseline.lock(), atMost: nil).exact { threads.isExact }]
        },
    ]
}

private struct Counts: Sendable {
    var count = 0
    var other = 0
}

private struct Add: Action {
    let amount: Int
}

private struct Answer: Action {
    let amount: Int
}

private let counting: ReducerFn<Counts> = on(Add.self) { counts, add in counts.count &+= add.amount }

private func makeStore(_ effects: [Effect<Void>]) -> Store<Counts> {
    opaque(Store(reducer: counting, initialState: Counts(), effects: effects))
}

private func dispatching(_ name: String, _ effects: [Effect<Void>]) -> Subject {
    let store = makeStore(effects)
    return Subject(name) {
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index))) }
    }
}

// MARK: - Effects

private func listening<Kind: Action>(_ type: Kind.Type) -> Effect<Void> {
    Effect(dispatch: false) { actions in actions.ofType(type).handleEvents { use($0) }.eraseActionType() }
}

private func registering(beside count: Int) -> Subject {
    let store = makeStore(Array(repeating: listening(Answer.self), count: count))
    store.dispatch(action: Answer(amount: 1))
    let effect = listening(Add.self)
    return Subject("\(count) effects", operations: 100) {
        for index in 0..<100 {
            let registration = store.register(effect)
            store.dispatch(action: Add(amount: opaque(index)))
            registration.cancel()
        }
    }
}

/// As many types of actions as one likes.
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

private func reducing(_ name: String, _ reducers: [ReducerFn<Counts>]) -> Subject {
    let store = Store(
        reducer: { counts, action in for reduce in reducers { reduce(&counts, action) } }, initialState: Counts())
    return Subject(name) {
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index))) }
    }
}

// MARK: - Selectors

private func selecting(_ name: String, step: Int) -> Subject {
    let selector = opaque(createSelector({ (counts: Counts) in counts.count }, { $0.other }, transform: { $0 &+ $1 }))
    let select = selector.memoized()
    var counts = Counts()
    return Subject(name) {
        for _ in 0..<1_000 {
            counts.count &+= opaque(step)
            use(select(counts))
        }
    }
}

// MARK: - A large state

private struct Elements: Sendable {
    var list: [Int]
}

private func elements(_ count: Int) -> Subject {
    let store = Store(
        reducer: on(Add.self) { (state: inout Elements, add) in state.list[add.amount] &+= 1 },
        initialState: Elements(list: [Int](repeating: 0, count: count)))
    return Subject("\(count) elements") {
        for index in 0..<1_000 { store.dispatch(action: Add(amount: opaque(index) % 1_000)) }
    }
}

// MARK: - Memory

private let heldStore = Store(reducer: counting, initialState: Counts())

/// Keeps subscriptions for as long as the process lives.
func holdSubscriptions(_ count: Int) {
    for _ in 0..<count { heldStore.select(\.other).observe { use($0) } }
}

/// Keeps effects for as long as the process lives.
func holdEffects(_ count: Int) {
    let effect = listening(Answer.self)
    for _ in 0..<count { heldStore.register(effect) }
}

// MARK: - Threads

/// Four threads that dispatch to one store, and whether every action was counted.
private final class DispatchingThreads: @unchecked Sendable {
    // Unchecked: what changes is touched when no thread runs.
    private let store = Store(reducer: counting, initialState: Counts())
    private var expected = 0
    private(set) var isExact = true

    var subject: Subject {
        Subject(waiting: "4 threads", operations: 1_000_000) { [self] in
            runThreads()
            expected += 1_000_000
            // Whoever drains for the others may still be at it.
            while store.state.count < expected { await Task.yield() }
            if store.state.count != expected { isExact = false }
        }
    }

    private func runThreads() {
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Thread { [store] in
                for _ in 0..<250_000 { store.dispatch(action: Add(amount: 1)) }
                group.leave()
            }.start()
        }
        group.wait()
    }
}
