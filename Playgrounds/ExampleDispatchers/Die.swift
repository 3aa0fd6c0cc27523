import Dispatcher
import FunctionalCore

package struct Die: Sendable, Equatable {
    /// The side that is up; nil until it is rolled.
    package var number: Int?
    package var rolls = 0

    package init() {}
}

package enum DieInput: Sendable {
    case roll(sides: Int)
}

package typealias DieDispatcher = StateDispatcher<Randomness, Die, DieInput>

/// The effectful example: what a roll shows depends on the world, so the dispatcher asks its environment.
package let dieDispatcher = DieDispatcher.effectful { input in
    switch input {
    case .roll(let sides):
        EnvIO { randomness in
            let number = randomness.number(1...sides)
            return .update { die in
                die.number = number
                die.rolls += 1
            }
        }
    }
}
