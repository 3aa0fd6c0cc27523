import Effects

struct Increment: Action {}
struct Add: Action { let amount: Int }
struct Acknowledged: Action {}

let counting: ReducerFn<Int> = combineReducers(
    on(Increment.self) { count, _ in count += 1 },
    on(Add.self) { count, add in count += add.amount }
)

private struct Marker: Action {}

/// Returns when the store has processed all actions that were dispatched before, on any thread.
func handled<S>(by store: Store<S>) async {
    await withCheckedContinuation { continuation in
        let once = Once()
        let marker = Effect(dispatch: false) { actions in
            actions.ofType(Marker.self).handleEvents { _ in if once.isFirst() { continuation.resume() } }
                .eraseActionType()
        }
        store.register(marker)
        store.dispatch(action: Marker())
    }
}
