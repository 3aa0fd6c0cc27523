import ArchitectureEngine

extension MobiusLoop {
    /// Creates a loop whose model never changes, for previews of views.
    ///
    /// Events are ignored, and there are no effects. The name follows SwiftUI's `Binding.constant(_:)`.
    ///
    /// ```swift
    /// CounterView(loop: .constant(3))
    /// ```
    public static func constant(_ model: Model) -> MobiusLoop {
        Mobius.Builder.constant.start(from: model)
    }

    /// Sends an event, or drops it if the loop is disposed. A binding calls this, because a control may write a last
    /// value after its loop has ended.
    package func dispatchUnlessDisposed(_ event: Event) {
        if let entry { entry(event, nil) } else { runtime.send(event) }
    }
}

extension MobiusController {
    /// Creates a controller whose model never changes, for previews of views.
    ///
    /// The controller is stopped. Views may start and stop it. It ignores events, and has no effects.
    public static func constant(_ model: Model) -> MobiusController {
        Mobius.Builder.constant.makeController(from: model)
    }
}

extension Mobius.Builder {
    /// A builder whose loops ignore events.
    fileprivate static var constant: Mobius.Builder<Model, Event, Effect> {
        Mobius.loop(
            update: Update { _, _ in .noChange },
            effectHandler: AnyConnectable.ignoring)
    }
}
