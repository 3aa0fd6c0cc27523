import Dispatcher
import FunctionalCore
import FunctionalLaws
import PropertyTesting
import TestSupport

/// Dispatchers of a user that are no functions: `combine` itself is the library's, see `DispatcherMutant`.
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

    /// Sets the visits to how often it was asked so far.
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
    /// The law for dispatchers of the shop.
    func property(of dispatchers: Gen<Shop.ShopDispatcher>) -> Property {
        property(of: dispatchers, inputs: Shop.inputs, states: Shop.State.gen) {
            Shop.Environment(price: 3, log: $0)
        }
    }
}
