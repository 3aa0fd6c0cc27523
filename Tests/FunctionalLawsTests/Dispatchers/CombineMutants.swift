import Dispatcher
import FunctionalCore
import FunctionalLaws
import PropertyTesting
import TestSupport

/// A user's dispatchers that are not pure functions. For mutants of `combine` itself, see `DispatcherMutant`.
enum CombineMutants {
    static var all: [Mutant] {
        [
            Mutant(
                "dispatcher of a user's that counts its inputs",
                [
                    CombineLaw.associativity, .leftIdentity, .rightIdentity, .denotation, .nothingIsRemembered,
                ]
            ) { [counting = countingInputs()] in $0.property(of: .always(counting)) },
            Mutant("dispatcher of a user's that writes when it is asked", [CombineLaw.askingRunsNothing]) {
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
        let calls = ReducerMutants.Box(0)
        return .pure { _ in
            calls.add(1)
            let count = calls.number
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
