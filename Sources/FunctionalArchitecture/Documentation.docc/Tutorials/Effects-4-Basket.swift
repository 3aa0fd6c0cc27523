import FunctionalArchitecture

struct AddItem: Action, Equatable { let name: String }
struct GetPrice: Action, Equatable { let names: [String] }
struct GotPrice: Action, Equatable { let price: Int }
struct NoPrice: Action, Equatable {}

struct Basket: Equatable, Sendable {
    var items: [String] = []
    var price: Int?
    var isOffline = false
}

var basketReducer: ReducerFn<Basket> {
    combine {
        on(AddItem.self) { basket, add in
            basket.items.append(add.name)
        }
        on(GotPrice.self) { basket, got in
            basket.price = got.price
            basket.isOffline = false
        }
        on(NoPrice.self) { basket, _ in
            basket.isOffline = true
        }
    }
}

struct Prices: Sendable {
    var items: @Sendable () -> [String]
    var price: @Sendable ([String]) async throws -> Int
}

var pricing: Effect<Prices> {
    Effect { actions, prices in
        actions.ofType(GetPrice.self).flatMap(.latest) { get in
            ActionStream<any Action> {
                GotPrice(price: try await prices.price(get.names))
            }
            .replaceError(with: NoPrice())
        }
    }
}

func asking(
    clock: some Clock<Duration> = .continuous
) -> Effect<Prices> {
    Effect { actions, prices in
        actions.ofType(AddItem.self)
            .debounce(for: .milliseconds(300), clock: clock)
            .map { _ in GetPrice(names: prices.items()) }
    }
}
