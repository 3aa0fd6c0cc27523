import Dispatcher
import FunctionalCore

package enum StepperInput: Sendable {
    case tapDecrement
    case tapIncrement
}

package typealias StepperDispatcher = StateDispatcher<Any, Int, StepperInput>

/// The pure example: an input changes the state, and nothing else is needed.
package var stepperDispatcher: StepperDispatcher {
    .pure { input in
        switch input {
        case .tapDecrement: return .update { $0 -= 1 }
        case .tapIncrement: return .update { $0 += 1 }
        }
    }
}
