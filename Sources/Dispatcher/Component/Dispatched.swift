public import ArchitectureEngine

/// What became of an input that was sent: a handle to wait for it, or to cancel what it started.
///
/// ```swift
/// let loading = component.send(.load)
/// await loading.finish()  // or loading.cancel()
/// ```
public struct Dispatched: Sendable {
    // `nil` where everything was done when `send` returned.
    @usableFromInline
    package let work: Work?

    @inlinable
    @inline(__always)
    init(_ work: Work?) {
        self.work = work
    }

    /// Waits until every action of the input has ended: with a change, a failure or a cancellation.
    ///
    /// Observers without isolation have been called then. Observers that an actor isolates may still be waiting for
    /// their actor. To wait for them, await the component's `settledIncludingObservers()`.
    public func finish() async {
        await work?.finished()
    }

    /// Whether something that the input was to do is not done: since it was cancelled, by ``cancel()``, by its policy
    /// in favour of another input, or with the component. Known for good when it has finished.
    public var isCancelled: Bool {
        work?.isSet ?? false
    }

    /// Stops what the input started and is not done yet: its task is cancelled, what comes of it late is dropped, and
    /// actions that have not begun do not begin. Changes that were made stay. Touches no other input's work. Any
    /// thread.
    public func cancel() {
        work?.cancel()
    }
}
