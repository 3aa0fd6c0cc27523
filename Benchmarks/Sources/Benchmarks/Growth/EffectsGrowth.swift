import Effects
import FunctionalCore

let effectsGrowth = Group(
    name: "Store",
    series: [
        Series("effects", per: "dispatch, one matches") { count in
            let others = Array(repeating: listening(Answer.self), count: count - 1)
            return dispatches(count, makeStore([listening(Add.self)] + others))
        },
        Series("effects beside one", per: "register it, dispatch, cancel it") { registering(beside: $0) },
        Series("reducers by on(_:)", per: "dispatch, one matches") { count in
            let other: ReducerFn<Counts> = on(Answer.self) { counts, _ in counts.other &+= 1 }
            let reducers = [counting] + Array(repeating: other, count: count - 1)
            return dispatches(count, makeStore(reducers))
        },
        Series("observers", per: "dispatch, all are notified") { count in
            let store = makeStore()
            for _ in 0..<count { store.observe { use($0) } }
            return dispatches(count, store)
        },
        Series("selections", per: "dispatch, none changes") { count in
            let store = makeStore()
            for _ in 0..<count { store.select(\.other).observe { use($0) } }
            return dispatches(count, store)
        },
        Series("observers to cancel", per: "observer, registered and cancelled") { count in
            let store = makeStore()
            return cancelling(count, { store.observe { use($0) } }, { $0.cancel() })
        },
        Series("selections to cancel", per: "selection, registered and cancelled") { count in
            let store = makeStore()
            return cancelling(count, { store.select(\.other).observe { use($0) } }, { $0.cancel() })
        },
        Series("effects to cancel", per: "effect, registered and cancelled") { count in
            let store = makeStore()
            let effect = listening(Add.self)
            return cancelling(count, { store.register(effect) }, { $0.cancel() })
        },
        Series("reducers to cancel", per: "reducer, registered and cancelled") { count in
            let store = makeStore()
            return cancelling(count, { store.register(reducer: counting) }, { $0.cancel() })
        },
        Series("elements of the state, one set", per: "dispatch") { stateElements($0) },
        Series("actions in a chain", per: "action") { count in
            let answer = Effect<Void> { actions in
                actions.ofType(Add.self).filter { $0.amount > 0 }.map { Add(amount: $0.amount - 1) }.eraseActionType()
            }
            let store = makeStore([answer])
            let calls = max(1, 1_000 / count)
            return Subject("\(count)", operations: count * calls) {
                for _ in 0..<calls { store.dispatch(action: Add(amount: opaque(count - 1))) }
            }
        },
    ])

private func dispatches(_ count: Int, _ store: Store<Counts>) -> Subject {
    let calls = max(1, 1_000 / count)
    return Subject("\(count)", operations: calls) {
        for _ in 0..<calls { store.dispatch(action: Add(amount: opaque(1))) }
    }
}
