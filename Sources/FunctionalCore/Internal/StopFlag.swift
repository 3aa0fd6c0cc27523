import Synchronization

/// Asks a run to stop, before there is a task that could be cancelled and after.
///
/// The flag exists before the run starts, so that what runs on the caller's thread can be stopped too. Whoever attaches
/// the task reads the flag again afterwards: a stop that came in between is not lost.
@usableFromInline
package final class StopFlag: Sendable {
    private let requested = Atomic<Bool>(false)

    package init() {}

    /// Whether the run was asked to stop. Any thread.
    package var isSet: Bool { requested.load(ordering: .acquiring) }

    /// Asks the run to stop. Any thread; returns whether this was the first time.
    @discardableResult
    package func set() -> Bool {
        !requested.exchange(true, ordering: .acquiringAndReleasing)
    }
}
