public import FunctionalCore

/// Something that holds resources until it is told to let go of them.
///
/// After Mobius' protocol of this name. Whoever implements it releases what it holds and stops emitting events when
/// ``dispose()`` is called. The library's own may be disposed from any thread, any number of times: once it has an
/// effect, then none. They call what they were given outside of any lock, so that a disposable that waits for its own
/// work to end does not deadlock.
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
