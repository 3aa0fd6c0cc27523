/// A logger of the events that a loop processes and of their results.
///
/// Always set a logger in debug builds: if something goes wrong, the log shows the state of the loop and how it got
/// there. The loop calls each function on the thread that performs the logged step, one call at a time. All functions
/// have default implementations, which do nothing.
///
/// A logger receives the model as it was before an update, so an update that changes the model in place
/// (``Update/init(inPlace:)``) copies the model for each event. To log without that cost, implement
/// ``didUpdate(event:next:)``, and ``usesPreviousModel`` as `false`:
///
/// ```swift
/// struct EventLogger: MobiusLogger {
///     func didUpdate(event: MyEvent, next: Next<MyModel, MyEffect>) { print(event) }
///     var usesPreviousModel: Bool { false }
/// }
/// ```
///
/// The protocol is based on Mobius' protocol of this name.
public protocol MobiusLogger<Model, Event, Effect>: Sendable {
    /// The loop's model.
    associatedtype Model
    /// The loop's events.
    associatedtype Event
    /// The loop's effects.
    associatedtype Effect

    /// Logs that a controller is about to call its `initiate` function.
    ///
    /// A ``MobiusLoop`` does not call this, and neither does a controller without such a function.
    func willInitiate(model: Model)

    /// Logs the result of `initiate` for `model`.
    func didInitiate(model: Model, first: First<Model, Effect>)

    /// Logs that the update function is about to be called.
    func willUpdate(model: Model, event: Event)

    /// Logs the result of the update function, with the model as it was before.
    ///
    /// A loop calls this if ``usesPreviousModel`` is `true`, and otherwise ``didUpdate(event:next:)``. The default
    /// implementation calls ``didUpdate(event:next:)``.
    func didUpdate(model: Model, event: Event, next: Next<Model, Effect>)

    /// Logs the result of the update function, for a logger that does not use the model as it was before.
    ///
    /// A loop calls this if ``usesPreviousModel`` is `false`.
    func didUpdate(event: Event, next: Next<Model, Effect>)

    /// Logs that an event was dropped, because its controller was not running, or because, before it was processed, its
    /// loop had ended or a policy had cancelled or replaced its effect.
    ///
    /// Called for events that are sent by ``MobiusController/dispatchEvent(_:)`` or were enqueued when the loop ended.
    /// It may be called for later events of effect handlers, views and event sources, but an ``EffectRouter`` or an
    /// ``EffectSwitch`` drops these without a call. For a controller that is not running, the thread that sends the
    /// event makes the call, possibly while another call to the logger is under way.
    func didDrop(event: Event)

    /// Whether the logger uses the model as it was before an update.
    ///
    /// The default is `true`. If it is `false`, the loop never calls ``didUpdate(model:event:next:)``. Its value must not
    /// change.
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
    public func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {
        didUpdate(event: event, next: next)
    }

    /// Does nothing.
    public func didUpdate(event: Event, next: Next<Model, Effect>) {}

    /// Does nothing.
    public func didDrop(event: Event) {}

    /// `true`.
    public var usesPreviousModel: Bool { true }
}
