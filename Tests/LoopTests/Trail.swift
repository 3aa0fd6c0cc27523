import Loop
import TestSupport

/// The loop of most tests: its model is the events that it has handled, and each event from 1 on is its own effect.
typealias TrailLoop = MobiusLoop<[Int], Int, Int>

/// Where a closure that a loop is made of finds the loop.
typealias LoopSlot = Guarded<TrailLoop?>

extension Guarded where Value == TrailLoop? {
    var loop: TrailLoop? {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }
}

let trail = Update<[Int], Int, Int> { model, event in
    .next(model + [event], effects: event > 0 ? [event] : [])
}
