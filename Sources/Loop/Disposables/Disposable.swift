public import FunctionalCore

/// Something that holds resources until it is disposed.
///
/// When ``dispose()`` is called, an implementation releases its resources and stops sending events. The disposables of
/// this library are thread-safe: only the first call has an effect, and they call closures outside of any lock.
///
/// A disposable of an effect handler may block until the handler's work has ended. If another thread ends the loop, the
/// disposable is not disposed on the thread of the work, even if the work is sending an event at that time. A
/// disposable must not wait in these cases:
/// - The work itself ends the loop: it disposes the loop, stops the controller, or releases the last reference to a
///   ``MobiusLoop``. The disposable is then disposed within that work.
/// - In a ``MobiusLoop``, the work sends an event, and an effect of that event cancels the work under a policy such as
///   `.latest`.
///
/// If the loop ends while the handler is starting, the thread that has started the handler disposes the disposable. In
/// that case the disposable must not wait for work that is enqueued behind the handler, for example on the queue of
/// `on(queue:)`.
///
/// The protocol is based on Mobius' protocol of this name.
public protocol Disposable: Sendable {
    /// Releases the resources. A second call should do nothing.
    func dispose()
}

extension Registration: Disposable {
    /// Cancels the registration; see ``Registration/cancel()``.
    public func dispose() {
        cancel()
    }
}
