import FunctionalLaws
import PropertyTesting
import Synchronization

/// Reducers that are not pure functions.
enum ReducerMutants {
    /// A state with reference semantics, which a reducer can change as a side effect.
    final class Box: Sendable {
        private let storage: Atomic<Int>

        init(_ number: Int) { storage = Atomic(number) }

        var number: Int { storage.load(ordering: .relaxed) }

        func add(_ other: Int) { storage.add(other, ordering: .relaxed) }
    }

    static var all: [Mutant] {
        [
            mutant("that counts its calls", [.sameInputSameOutput]) {
                let calls = Box(0)
                return { state, input in
                    calls.add(1)
                    return state + input + calls.number
                }
            },
            mutant("that remembers the last input", [.nothingIsRemembered]) {
                let last = Box(0)
                return { state, input in
                    let before = last.number
                    last.add(input - before)
                    return state + input + (before == input ? 0 : before)
                }
            },
            Mutant("reducer that changes an object in the old state", [ReducerLaw.theOldStateIsUntouched]) { law in
                law.property(
                    of: { (state: Box, input: Int) -> Int in
                        state.add(input)
                        return state.number
                    },
                    states: number.map { Box($0) }, inputs: number,
                    isSameState: { $0.number == $1.number }, isSameOutput: { $0 == $1 })
            },
        ]
    }

    private static func mutant(
        _ name: String, _ laws: Set<ReducerLaw>, _ make: () -> @Sendable (Int, Int) -> Int
    ) -> Mutant {
        let reduce = make()
        return Mutant("reducer \(name)", laws) { $0.property(of: reduce, states: number, inputs: number) }
    }
}
