import Dispatcher
import FunctionalCore

package struct Die: Sendable, Equatable {
    /// The number that was rolled last, or `nil` before the first roll.
    package var number: Int?
    package var rolls = 0

    package init() {}
}

package enum DieInput: Sendable {
    case roll(sides: Int)
}

package typealias DieDispatcher = StateDispatcher<Randomness, Die, DieInput>

/// The effectful example: the result of a roll depends on the environment.
package var dieDispatcher: DieDispatcher {
    .effectful { input in
        switch input {
        case .roll(let sides):
            return EnvIO { randomness in
                let number = randomness.number(1...sides)
                return .update { die in
                    die.number = number
                    die.rolls += 1
                }
            }
        }
    }
}
