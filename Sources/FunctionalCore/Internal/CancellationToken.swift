/// Says that a run is to stop: there before the run starts, so that what runs on the caller's thread can be stopped,
/// and before there is a task that could be cancelled.
@usableFromInline
package protocol CancellationToken: AnyObject, Sendable {
    /// Whether the run was asked to stop. Any thread.
    var isCancelled: Bool { get }
}
