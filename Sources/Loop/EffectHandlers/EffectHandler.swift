/// Handles one kind of effect that takes its time, or has more than one event as its answer, and that is done some day.
///
/// ```swift
/// struct UserFetcher: EffectHandler {
///     let dataSource: DataSource
///
///     func handle(_ userIDs: [String], _ callback: EffectCallback<MyEvent>) -> any Disposable {
///         let request = dataSource.downloadUsers(ids: userIDs) { users in
///             callback.end(with: .usersFetched(users))
///         }
///         return AnonymousDisposable { request.cancel() }
///     }
/// }
/// ```
///
/// What it needs of the model travels with the effect. Errors become events: the update function decides what to do.
/// Where a handler can be written as an `async` function, or returns its one event at once, ``EffectRoute`` has what is
/// less complicated; use that. After Mobius' protocol of this name.
public protocol EffectHandler<EffectParameters, Event>: Sendable {
    /// What there is to handle: the payload of an effect.
    associatedtype EffectParameters
    /// The events that come of it.
    associatedtype Event

    /// Begins to handle an effect, on the thread that the route says, and returns soon.
    ///
    /// - Parameters:
    ///   - parameters: The payload of the effect.
    ///   - callback: Takes events, from any thread, until it is ended.
    /// - Returns: What stops the work: disposed with the loop if `callback` has not been ended by then, and never
    ///   otherwise.
    func handle(_ parameters: EffectParameters, _ callback: EffectCallback<Event>) -> any Disposable
}

/// Any effect handler, by its types alone. After Mobius' type of this name.
public struct AnyEffectHandler<EffectParameters, Event>: EffectHandler {
    private let handleClosure: @Sendable (EffectParameters, EffectCallback<Event>) -> any Disposable

    /// Creates a handler that calls `handle`; see ``EffectHandler/handle(_:_:)``.
    public init(
        handle: @escaping @Sendable (EffectParameters, EffectCallback<Event>) -> any Disposable
    ) {
        handleClosure = handle
    }

    /// Creates a handler that forwards to `handler`.
    public init<Handler: EffectHandler>(handler: Handler)
    where Handler.EffectParameters == EffectParameters, Handler.Event == Event {
        self.init { handler.handle($0, $1) }
    }

    /// Calls what this was made of.
    public func handle(_ parameters: EffectParameters, _ callback: EffectCallback<Event>) -> any Disposable {
        handleClosure(parameters, callback)
    }
}
