import Loop
import TestSupport

/// The loop of most tests. Its model is the list of processed events, and each positive event is also an effect.
typealias TrailLoop = MobiusLoop<[Int], Int, Int>

/// A reference to a loop, for the closures that the loop is created with.
typealias LoopSlot = Guarded<TrailLoop?>

extension Guarded where Value == TrailLoop? {
    var loop: TrailLoop? {
        get { value }
        set { value = newValue }
    }
}

let trail = Update<[Int], Int, Int> { model, event in
    .next(model + [event], effects: event > 0 ? [event] : [])
}
