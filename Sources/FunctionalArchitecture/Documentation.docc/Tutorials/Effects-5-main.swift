import FunctionalArchitecture

let events = TraceBuffer()
let store = Store(
    reducer: basketReducer, initialState: Basket(),
    environment: { state in
        Prices(
            items: { state().items },
            price: { names in 3 * names.count })
    },
    effects: [asking(), pricing],
    trace: Trace(to: events))

store.dispatch(action: AddItem(name: "tea"))
try await store.settled()
for event in events.all { print(event) }
