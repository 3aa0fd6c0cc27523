/// A handler for one kind of effect, which sends any number of events over time and then ends.
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
/// An effect should contain everything that its handler needs of the model. Errors are sent as events, so that the
/// update function decides what to do about them.
///
/// ``EffectRoute`` has simpler kinds of handlers, for example an `async` function, or a closure that returns one event.
/// Use one of those if it suffices. The protocol is based on Mobius' protocol of this name.
public protocol EffectHandler<EffectParameters, Event>: Sendable {
    /// The parameters of an effect, usually its associated value.
    associatedtype EffectParameters
    /// The events that the handler sends.
    associatedtype Event

    /// Starts to handle an effect, and returns without waiting for the work to end. ``EffectRoute`` and
    /// ``EffectHandling`` document which thread calls it.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the effect.
    ///   - callback: The callback with which the handler sends events. It may be used from any thread. The handler ends
    ///     it when the effect has been handled.
    /// - Returns: A disposable that stops the work. If `callback` has not ended when the loop is disposed or a policy
    ///   cancels the effect, the disposable is disposed. Otherwise it is never disposed.
    func handle(_ parameters: EffectParameters, _ callback: EffectCallback<Event>) -> any Disposable
}
