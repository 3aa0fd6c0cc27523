import FunctionalArchitecture

struct AddItem: Action, Equatable { let name: String }

struct Basket: Equatable, Sendable {
    var items: [String] = []
}

var basketReducer: ReducerFn<Basket> {
    combine {
        on(AddItem.self) { basket, add in
            basket.items.append(add.name)
        }
    }
}
