/// Is told what a loop does: which events come, and what becomes of the model.
///
/// Set one in debug builds, always: when something is wrong, it says in which state the loop was, and how it got there.
/// Each function is called on the thread of what it tells of, one call at a time for each loop, and does nothing unless
/// it is implemented. After Mobius' protocol of this name.
public protocol MobiusLogger<Model, Event, Effect>: Sendable {
    /// The loop's model.
    associatedtype Model
    /// The loop's events.
    associatedtype Event
    /// The loop's effects.
    associatedtype Effect

    /// A controller with an `initiate` function is about to call it. A raw loop has none, and never calls this.
    func willInitiate(model: Model)

    /// `initiate` made `first` of `model`.
    func didInitiate(model: Model, first: First<Model, Effect>)

    /// The update function is about to be called.
    func willUpdate(model: Model, event: Event)

    /// The update function made `next` of `model`, as it was, and `event`.
    func didUpdate(model: Model, event: Event, next: Next<Model, Effect>)
}

extension MobiusLogger {
    /// Does nothing.
    public func willInitiate(model: Model) {}

    /// Does nothing.
    public func didInitiate(model: Model, first: First<Model, Effect>) {}

    /// Does nothing.
    public func willUpdate(model: Model, event: Event) {}

    /// Does nothing.
    public func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {}
}
