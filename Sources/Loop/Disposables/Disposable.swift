public import FunctionalCore

/// Something that holds resources until it is told to let go of them.
///
/// After Mobius' protocol of this name. Whoever implements it releases what it holds and stops emitting events when
/// ``dispose()`` is called. The library's own may be disposed from any thread, any number of times: once it has an
/// effect, then none. They call what they were given outside of any lock.
///
/// A disposable may wait for its own work to end: a loop that is ended by another thread disposes it on a thread that is
/// inside none of the loop's callbacks. If the work itself ends the loop (it disposes it, stops its controller, or drops
/// the last reference to a raw loop), the disposable runs inside that work and must not wait for it. The same holds on a
/// raw loop if the work sends the event by which a policy such as `.latest` replaces it. If a loop ends while a handler
/// begins, the handler's disposable is disposed by the thread that has begun it: it must not wait for work that is
/// enqueued behind that, for example on the queue of `on(queue:)`.
public protocol Disposable: Sendable {
    /// Releases what this holds. A second call should do nothing.
    func dispose()
}

extension Registration: Disposable {
    /// The same as ``Registration/cancel()``.
    public func dispose() {
        cancel()
    }
}
