import FunctionalLaws
import PropertyTesting
import Synchronization

/// A number with reference semantics, with which a function remembers its calls.
final class Counter: Sendable {
    private let storage: Atomic<Int>

    init(_ number: Int = 0) { storage = Atomic(number) }

    var number: Int { storage.load(ordering: .relaxed) }

    /// Adds a number, and returns the sum.
    @discardableResult
    func next(adding other: Int = 1) -> Int { storage.add(other, ordering: .relaxed).newValue }
}

/// Reducers that are not pure functions.
enum ReducerMutants {
    static var all: [Mutant] {
        [
            mutant("counts its calls", .sameInputSameOutput, counterexample: "state: 0, input: 0", counting()),
            mutant(
                "counts its calls, which another call shows", .nothingIsRemembered,
                counterexample: "state: 0, input: 0, between: 0, 0", counting()),
            mutant("remembers the last input", .nothingIsRemembered) { [last = Counter()] state, input in
                let before = last.number
                last.next(adding: input - before)
                return state + input + (before == input ? 0 : before)
            },
            Mutant("A reducer changes an object in the old state", [ReducerLaw.theOldStateIsUntouched]) { law in
                law.property(
                    of: { (state: Counter, input: Int) -> Int in state.next(adding: input) },
                    states: number.map { Counter($0) }, inputs: number,
                    isSameState: { $0.number == $1.number }, isSameOutput: { $0 == $1 })
            },
        ]
    }

    private static func counting() -> @Sendable (Int, Int) -> Int {
        { [calls = Counter()] state, input in state + input + calls.next() }
    }

    private static func mutant(
        _ name: String, _ law: ReducerLaw, counterexample: String? = nil,
        _ reduce: @escaping @Sendable (Int, Int) -> Int
    ) -> Mutant {
        Mutant("A reducer \(name)", [law], counterexample: counterexample) {
            $0.property(of: reduce, states: number, inputs: number)
        }
    }
}
