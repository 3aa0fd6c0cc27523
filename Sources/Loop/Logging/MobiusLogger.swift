/// A receiver of what a loop does: which events it handles, and what each changes.
///
/// Always set one in debug builds: when something goes wrong, the log shows the state of the loop and how it got there.
/// Each function is called on the thread that performs what it reports, one call at a time for each loop. All of them
/// have a default that does nothing. After Mobius' protocol of this name.
///
/// An update that changes the model in place (``Update/init(inPlace:)``) makes no copy of it for a logger, with one
/// exception: a logger that implements ``didUpdate(model:event:next:)`` is given the model as it was before, so the
/// model is copied for each event. To log without that cost, implement ``didUpdate(event:next:)`` instead.
public protocol MobiusLogger<Model, Event, Effect>: Sendable {
    /// The loop's model.
    associatedtype Model
    /// The loop's events.
    associatedtype Event
    /// The loop's effects.
    associatedtype Effect
    /// The result type of ``didUpdate(model:event:next:)``, which tells whether the logger implements it.
    ///
    /// Inferred: `Void` for a logger that implements the function, ``NotImplemented`` for one that does not.
    associatedtype DidUpdateResult

    /// Reports that a controller is about to call its `initiate` function.
    ///
    /// Not called by a raw loop, nor by a controller without such a function.
    func willInitiate(model: Model)

    /// Reports what `initiate` returned for `model`.
    func didInitiate(model: Model, first: First<Model, Effect>)

    /// Reports that the update function is about to be called.
    func willUpdate(model: Model, event: Event)

    /// Reports what the update function returned, with the model as it was before.
    ///
    /// A loop calls this if ``usesPreviousModel`` is `true`, and otherwise ``didUpdate(event:next:)``. The default calls
    /// ``didUpdate(event:next:)``.
    @discardableResult
    func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) -> DidUpdateResult

    /// Reports what the update function returned, for a logger that does not use the model as it was before.
    ///
    /// A loop calls this if ``usesPreviousModel`` is `false`.
    func didUpdate(event: Event, next: Next<Model, Effect>)

    /// Whether the logger is to be given the model as it was before an update.
    ///
    /// By default `true` for a logger that implements ``didUpdate(model:event:next:)``, and `false` for any other. Only a
    /// logger that forwards to others implements this by itself. The value must not change.
    var usesPreviousModel: Bool { get }
}

extension MobiusLogger {
    /// Does nothing.
    public func willInitiate(model: Model) {}

    /// Does nothing.
    public func didInitiate(model: Model, first: First<Model, Effect>) {}

    /// Does nothing.
    public func willUpdate(model: Model, event: Event) {}

    /// Calls ``didUpdate(event:next:)``.
    @discardableResult
    public func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) -> NotImplemented {
        didUpdate(event: event, next: next)
        return NotImplemented()
    }

    /// Does nothing.
    public func didUpdate(event: Event, next: Next<Model, Effect>) {}

    /// Whether the logger implements ``didUpdate(model:event:next:)``.
    public var usesPreviousModel: Bool { DidUpdateResult.self != NotImplemented.self }
}

/// The result type of a function that a ``MobiusLogger`` does not implement.
public struct NotImplemented: Sendable {}
