internal import FunctionalCore
import Observation
public import Synchronization

/// The object by which `withObservationTracking` tracks a component or a store: the whole state, and parts of it.
///
/// An observer is notified on the main actor, after the change. Tracking installs its observers when the tracked
/// closure returns. A notification on another thread, or during the change, could come before that and be lost. On the
/// main actor, no notification is lost. Each change notifies the observers of the whole state. It notifies the
/// observers of a part if the part differs from the value that was read.
///
/// Each tracked read of a part has a key path and a registrar of its own. Tracking retains the key paths that it tracks,
/// so a key path that only this retains is not tracked. If tracking does not retain them, all reads share one part, and
/// each change notifies.
@usableFromInline
package final class ObservationBridge: Sendable {
    // The number of tracked parts.
    @usableFromInline let trackedCount = Atomic<Int>(0)
    private let isScheduled = Atomic<Bool>(false)
    // Created by the first tracked read, because most owners are never read in this way.
    private let trackedParts = AtomicLazyReference<TrackedParts>()

    @usableFromInline
    package init() {}

    /// Has the next change notify if a read of the whole state is tracked. To be called before the read.
    ///
    /// - Parameter bridge: The bridge of the state. It is evaluated only if the read is tracked.
    /// - Returns: Whether the read is tracked.
    @usableFromInline
    @discardableResult
    package static func trackRead(of bridge: @autoclosure () -> ObservationBridge) -> Bool {
        guard TrackedPart.areKeyPathsRetained else {
            bridge().trackSharedPart()
            return true
        }
        guard let tracked = TrackedPart.ofRead() else { return false }
        let bridge = bridge()
        let version = bridge.parts.version
        _ = bridge.track(tracked, { version.number.load(ordering: .acquiring) }, by: ==)
        return true
    }

    /// Reads a part of the state. If the read is tracked, its observers are notified of the first change for which
    /// `isSame` returns `false`.
    ///
    /// - Parameters:
    ///   - part: Reads the part. It is retained while the part is tracked, so it must not retain the owner of this
    ///     object.
    ///   - isSame: Whether the value that was read and a later value are the same.
    /// - Complexity: O(1), amortized. A read that is not tracked adds no part.
    package func read<Value: Sendable>(
        part: @escaping @Sendable () -> Value,
        by isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        guard TrackedPart.areKeyPathsRetained else {
            trackSharedPart()
            return part()
        }
        guard let tracked = TrackedPart.ofRead() else { return part() }
        return track(tracked, part, by: isSame)
    }

    private func track<Value: Sendable>(
        _ tracked: TrackedPart,
        _ part: @escaping @Sendable () -> Value,
        by isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
        // Before the read: a change that the read does not see is one after which the parts are checked.
        trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let value = part()
        tracked.isUnchanged = { isSame(value, part()) }
        forget(parts.append(tracked))
        return value
    }

    private func trackSharedPart() {
        let (part, isNew) = parts.sharedPart()
        if isNew { trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        part.access()
    }

    private var parts: TrackedParts {
        trackedParts.load() ?? trackedParts.storeIfNil(TrackedParts())
    }

    /// Whether the state or a part of it is tracked. One load.
    @inlinable
    @inline(__always)
    package var isTracked: Bool { trackedCount.load(ordering: .sequentiallyConsistent) != 0 }

    /// Notifies the observers of a change. The draining thread calls this after each change if the state is tracked.
    ///
    /// - Complexity: O(k) in the number of tracked parts.
    package func notify() {
        parts.version.number.wrappingAdd(1, ordering: .acquiringAndReleasing)
        if CurrentThread.isMain { return notifyHere() }
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { @MainActor in
            // Reset before the parts are read: a later change schedules another task.
            isScheduled.store(false, ordering: .releasing)
            notifyHere()
        }
    }

    private func notifyHere() {
        guard let parts = trackedParts.load() else { return }
        forget(parts.removeUntracked())
        if notifyChanged(in: parts) { forget(parts.removeUntracked()) }
    }

    /// Notifies the observers of the parts that have changed. Returns whether a part has changed.
    ///
    /// An observer may track again: this changes the list of parts, but not the copy that is used here. An observer may
    /// also make further changes, so that this function is called again. An observer that is being notified must not be
    /// notified a second time.
    private func notifyChanged(in parts: TrackedParts) -> Bool {
        var isAnyChanged = false
        for part in parts.all {
            if part.isBeingNotified {
                // Some reads that share the part may have been tracked since the notification began.
                part.isChangedAgain = part.isShared
                continue
            }
            if part.isUnchanged() { continue }
            isAnyChanged = true
            part.isBeingNotified = true
            repeat {
                part.isChangedAgain = false
                part.notify()
            } while part.isChangedAgain
            part.isBeingNotified = false
        }
        return isAnyChanged
    }

    // The caller releases the parts, outside of the lock of the list, because their closures may call this object
    // again.
    private func forget(_ parts: [TrackedPart]) {
        if !parts.isEmpty {
            trackedCount.wrappingSubtract(parts.count, ordering: .acquiringAndReleasing)
        }
    }
}

/// A tracked part, and a check whether its value is still the value that was read.
private final class TrackedPart {
    private var path: KeyPath<TrackedState, Int>
    /// Set before other threads use the part.
    var isUnchanged: @Sendable () -> Bool = { false }
    /// Whether all reads share the part, since it cannot be found out whether a read is tracked.
    let isShared: Bool
    /// Used on the main thread alone, as is `isChangedAgain`.
    var isBeingNotified = false
    /// Whether another change was made while the part was being notified.
    var isChangedAgain = false
    // Not shared: a registrar keeps what tracks it until it is notified or deallocated.
    private let registrar = ObservationRegistrar()

    init(_ number: Int, isShared: Bool = false) {
        path = \TrackedState.[number]
        self.isShared = isShared
    }

    /// Whether tracking retains the very key path that was read. Checked once in a process, by the first read.
    static let areKeyPathsRetained = SelfCheck.passes(
        {
            let part = TrackedPart(0)
            return withObservationTracking {
                part.access()
                return part.isTracked
            } onChange: {
            }
        },
        otherwise: """
            Observation does not retain the key paths that it tracks. Each change of a state now notifies all code that \
            tracks the state or a part of it.
            """)

    /// One part for each of several groups of threads, which nothing tracks. To make a key path takes longer than
    /// everything else about a read. Threads of different groups do not wait for each other.
    private static let untracked = (0..<16).map { Locked(TrackedPart($0)) }

    /// Returns a part that the code that tracks the calling code now tracks, or `nil` if there is no such code.
    static func ofRead() -> TrackedPart? {
        // The upper four bits of the hash.
        let group = Int((CurrentThread.identity &* 0x9e37_79b9_7f4a_7c15) >> 60)
        return untracked[group].withLock { part in
            part.access()
            if !part.isTracked { return nil }
            defer { part = TrackedPart(group) }
            return part
        }
    }

    var isTracked: Bool { isShared || !isKnownUniquelyReferenced(&path) }

    // Not inlined: nothing but tracking retains the key path when this has returned.
    @inline(never)
    func access() {
        registrar.access(TrackedState(), keyPath: path)
    }

    func notify() {
        registrar.willSet(TrackedState(), keyPath: path)
        registrar.didSet(TrackedState(), keyPath: path)
    }
}

/// What the key paths of parts begin at. Nothing reads the member that they name.
private struct TrackedState: Observable {
    subscript(number: Int) -> Int { 0 }
}

/// The tracked parts of a state, in the order in which they were read. A thread may track a part while the main thread
/// checks the parts.
private final class TrackedParts: Sendable {
    private struct Fields {
        var parts: [TrackedPart] = []
        var limit = TrackedParts.leastLimit

        mutating func takeUntracked() -> [TrackedPart] {
            var tracked = 0
            for index in parts.indices where parts[index].isTracked {
                parts.swapAt(tracked, index)
                tracked += 1
            }
            defer {
                parts.removeSubrange(tracked...)
                limit = max(TrackedParts.leastLimit, 2 * tracked)
            }
            return Array(parts[tracked...])
        }
    }

    /// The number of changes that were made while parts were tracked. It is the part that stands for the whole state.
    final class Version: Sendable {
        let number = Atomic(0)
    }

    let version = Version()
    private let fields = Locked(Fields())

    /// If there are fewer parts than this, parts that are no longer tracked stay in the list until the next change.
    private static var leastLimit: Int { 16 }

    var all: [TrackedPart] { fields.withLock { $0.parts } }

    /// Appends a part. Returns parts that were removed because they are no longer tracked.
    func append(_ part: TrackedPart) -> [TrackedPart] {
        fields.withLock { fields in
            // If code tracks again and again without a change, the parts that were tracked before must not pile up.
            let removed = fields.parts.count >= fields.limit ? fields.takeUntracked() : []
            fields.parts.append(part)
            return removed
        }
    }

    /// Returns the part that all reads share, and whether this call has appended it.
    func sharedPart() -> (part: TrackedPart, isNew: Bool) {
        fields.withLock { fields in
            if let part = fields.parts.first { return (part, false) }
            let part = TrackedPart(0, isShared: true)
            fields.parts.append(part)
            return (part, true)
        }
    }

    /// Removes and returns the parts that are no longer tracked.
    func removeUntracked() -> [TrackedPart] {
        fields.withLock { $0.takeUntracked() }
    }
}
