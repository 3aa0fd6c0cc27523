import Effects
import Testing

// No other import of this package: the tests fail to compile if the front door does not suffice.

private enum CartAction: Action, AutoPrism {
    case add(String)
    case clear
}

private struct Cart: Equatable, Sendable {
    var items: [String] = []
    var draft: String?
}

@Suite("One import of a store", .timeLimit(.minutes(10)))
struct EffectsImportTests {
    @Test("A file that imports only Effects selects the actions of a case, and scopes a part that may be absent")
    func casesAndParts() {
        let add: Prism<CartAction, String> = CartAction.prism(for: CartAction.add)
        let reducer: ReducerFn<Cart> = on(CartAction.self) { cart, action in
            if let item = add.extract(action) { (cart.items, cart.draft) = (cart.items + [item], item) }
        }
        let clear = Effect { actions in actions.ofCase(add).map { _ in CartAction.clear }.eraseActionType() }
        let store = Store(reducer: reducer, initialState: Cart(), effects: [clear])

        #expect(store.scope(part: Lens(\Cart.draft).some()) == nil)
        store.dispatch(action: CartAction.add("tea"))

        #expect(store.scope(part: Lens(\Cart.draft).some())?.value == "tea")
        #expect(store.state.items == ["tea"])
    }
}
