import Dispatcher
import DispatcherLaws
import FunctionalCore
import FunctionalLaws
import PropertyTesting
import TestSupport

/// A user's dispatchers that are not pure functions.
enum CombineMutants {
    static var all: [Mutant] {
        [
            Mutant(
                "A dispatcher counts its inputs",
                [CombineLaw.nothingIsRemembered, .associativity, .leftIdentity, .rightIdentity, .denotation],
                counterexample: "a: 1 action, input: .visit, state: State(cart: Cart(total: 0), visits: 0)"
            ) { [counting = countingInputs()] in $0.property(of: .always(counting)) },
            Mutant("A dispatcher writes when it is asked", [CombineLaw.askingRunsNothing]) {
                let log = Guarded<EffectLog?>(nil)
                let writing = Shop.ShopDispatcher.workflow { _ in
                    log.withLock { $0?.append("asked") }
                    return []
                }
                return $0.property(of: Gen.always(writing), inputs: Shop.inputs, states: Shop.State.gen) { new in
                    log.withLock { $0 = new }
                    return Shop.Environment(price: 3, log: new)
                }
            },
        ]
    }

    /// Returns a dispatcher that sets `visits` to the number of its calls so far.
    static func countingInputs() -> Shop.ShopDispatcher {
        .pure { [calls = Counter()] _ in
            let count = calls.next()
            return .update { $0.visits = count }
        }
    }
}

extension CombineLaw {
    /// Returns the property of this law for dispatchers of the shop.
    func property(of dispatchers: Gen<Shop.ShopDispatcher>) -> Property {
        property(of: dispatchers, inputs: Shop.inputs, states: Shop.State.gen) {
            Shop.Environment(price: 3, log: $0)
        }
    }
}
