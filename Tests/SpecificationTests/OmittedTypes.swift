// The declarations that the specification's page leaves out, as a client would write them.

import Dispatcher
import Foundation
import FunctionalCore

protocol Database {}

struct OtherState: Equatable {
    var count = 0
}

enum OtherInput {
    case tick
}

/// Changes the part of the parent's state that the screen does not change.
let parentDispatcher = ParentDispatcher.pure { input in
    switch input {
    case .screen: .pure(())
    case .other(.tick): .modify { ParentState(screen: $0.screen, other: OtherState(count: $0.other.count + 1)) }
    }
}
