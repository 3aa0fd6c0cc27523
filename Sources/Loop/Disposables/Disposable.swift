public import FunctionalCore

/// Something that holds resources until it is disposed.
///
/// When ``dispose()`` is called, an implementation releases its resources and stops sending events. The disposables of
/// this library are thread-safe: only the first call has an effect, and they call closures outside of any lock.
///
/// A disposable of an effect handler is allowed to block until the handler's work has ended. This does not deadlock if
/// the loop is ended by a thread other than that of the work. In that case, the thread of the work never calls
/// ``dispose()``, even if the work is sending an event when the loop ends. A disposable must not wait for the work in
/// these cases, since the work waits for the disposable:
/// - The work itself ends the loop: it disposes the loop, stops the controller, or releases the last reference to a
///   ``MobiusLoop``.
/// - In a ``MobiusLoop``, the thread of the work processes an event that the work sends, and this ends the work. For
///   example, a handler or an observer ends the loop, or an effect of the event replaces the work under a policy such
///   as `.latest`.
///
/// If the loop ends while the handler is starting, the thread that has called the handler disposes the disposable,
/// right after the handler has returned it. A handler may have enqueued its work on the serial queue on which the
/// handler itself runs, for example that of `on(queue:)`. In that case, ``dispose()`` runs on that queue, too, and the
/// work cannot begin before ``dispose()`` returns. So the disposable must not wait for the work.
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

extension Task {
    /// A disposable that cancels this task.
    ///
    /// ```swift
    /// let request = Task { callback.end(with: .loaded(await load())) }
    /// return request.asDisposable
    /// ```
    public var asDisposable: any Disposable {
        TaskDisposable(task: self)
    }
}

/// A disposable that cancels a task.
private struct TaskDisposable<Success: Sendable, Failure: Error>: Disposable {
    let task: Task<Success, Failure>

    func dispose() {
        task.cancel()
    }
}

/// A disposable without resources, for handlers that have ended when they return.
public struct EmptyDisposable: Disposable {
    /// Creates a disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
