internal import FunctionalCore
import Observation
public import Synchronization

/// The bridge through which `withObservationTracking` tracks the state of a component, a loop or a store, and parts of
/// this state.
///
/// The bridge notifies the tracking code on the main actor, after the change. `withObservationTracking` installs its
/// observers only when the tracked closure returns, and an earlier notification is lost. If the closure runs on the
/// main actor, no notification arrives while it runs, so none is lost. Each change notifies the code that tracks the
/// whole state. Code that tracks a part is notified if the part differs from the value that was read.
///
/// Each tracked read has a `TrackedPart` of its own, with a key path and a registrar. Observation retains the key path
/// for as long as it tracks the read. So a read is no longer tracked if only its `TrackedPart` retains the key path. If
/// Observation does not retain key paths, all reads share one `TrackedPart`, and each change notifies all tracking
/// code.
@usableFromInline
package final class ObservationBridge: Sendable {
    // The number of tracked parts, including a part that is about to be appended to `trackedParts`.
    @usableFromInline let trackedCount = Atomic<Int>(0)
    private let isScheduled = Atomic<Bool>(false)
    // Created by the first tracked read, because most owners are never read in this way.
    private let trackedParts = AtomicLazyReference<TrackedParts>()

    @usableFromInline
    package init() {}

    /// Registers a read of the whole state, so that the next change notifies the code that tracks the read. Must be
    /// called before the state is read.
    ///
    /// - Parameter bridge: The bridge of the state. It is not evaluated if the function returns `false`.
    /// - Returns: Whether the read is tracked. If Observation does not retain key paths, this is not known, and the
    ///   result is `true` for every read.
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
        bridge.countRead()
        let number = version.number.load(ordering: .acquiring)
        bridge.track(tracked) { number == version.number.load(ordering: .acquiring) }
        return true
    }

    /// Returns a part of the state. If the read is tracked, the tracking code is notified after the first change for
    /// which `isSame` returns `false`. If Observation does not retain key paths, it is notified after any change.
    ///
    /// - Parameters:
    ///   - part: Returns the current part. The closure is retained while the read is tracked, so it must not retain the
    ///     component or the store.
    ///   - isSame: Returns whether the value that was read and a later value are the same.
    ///   - isPresent: Returns whether the part is present, or `nil` if it always is. An absent part is unchanged.
    /// - Complexity: O(1), amortized. A read that is not tracked adds no part.
    @inlinable
    package func read<Value: Sendable>(
        part: @escaping @Sendable () -> Value,
        by isSame: @escaping @Sendable (Value, Value) -> Bool,
        unlessAbsent isPresent: (@Sendable () -> Bool)? = nil
    ) -> Value {
        // Inlinable, so that the check of the part, which each change calls, is specialized for its type.
        guard let tracked = trackedPart() else { return part() }
        let value = part()
        track(tracked) { isSame(value, part()) || isPresent?() == false }
        return value
    }

    /// Counts a read that begins now, and returns its part. Returns `nil` if the read is not tracked, or if all reads
    /// share one part.
    @usableFromInline
    func trackedPart() -> TrackedPart? {
        guard TrackedPart.areKeyPathsRetained else {
            trackSharedPart()
            return nil
        }
        guard let tracked = TrackedPart.ofRead() else { return nil }
        countRead()
        return tracked
    }

    // Called before the read, so that the parts are checked after each change that the read does not see.
    private func countRead() { trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    @usableFromInline
    func track(_ tracked: TrackedPart, isUnchanged: @escaping @Sendable () -> Bool) {
        tracked.isUnchanged = isUnchanged
        forget(parts.append(tracked))
    }

    private func trackSharedPart() {
        let (part, isNew) = parts.sharedPart()
        if isNew { trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        part.access()
    }

    private var parts: TrackedParts {
        trackedParts.load() ?? trackedParts.storeIfNil(TrackedParts())
    }

    /// Whether the state or a part of it may be tracked.
    @inlinable
    @inline(__always)
    package var isTracked: Bool { trackedCount.load(ordering: .sequentiallyConsistent) != 0 }

    /// Notifies the tracking code of a change, on the main actor. Must be called after each change if `isTracked` is
    /// `true`.
    ///
    /// - Complexity: O(k) in the number of tracked parts.
    package func notify() {
        parts.version.number.wrappingAdd(1, ordering: .acquiringAndReleasing)
        if CurrentThread.isMain { return notifyHere() }
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let cause = TraceCause.current
        Task.detached(priority: Task.currentPriority) { @MainActor [self] in
            // Reset before the parts are read: a later change schedules another task.
            isScheduled.store(false, ordering: .releasing)
            TraceCause.with(cause, notifyHere)
        }
    }

    private func notifyHere() {
        guard let parts = trackedParts.load() else { return }
        forget(parts.removeUntracked())
        if notifyChanged(in: parts) { forget(parts.removeUntracked()) }
    }

    /// Notifies the code that tracks parts that have changed. Returns whether a part has changed.
    ///
    /// The notified code may read and track parts again. This changes the list of parts, but not the copy that this
    /// function iterates over. The notified code may also change the state, which calls this function again. The inner
    /// call skips the parts that are being notified.
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

    // Subtracts removed parts from the count. The caller releases the parts outside of the lock of the list, because
    // releasing their closures may call this object again.
    private func forget(_ parts: [TrackedPart]) {
        if !parts.isEmpty {
            trackedCount.wrappingSubtract(parts.count, ordering: .acquiringAndReleasing)
        }
    }
}

/// A read of a part of the state: the key path and the registrar with which Observation tracks the read, and a check
/// whether the part has changed since the read.
@usableFromInline
final class TrackedPart {
    private var path: KeyPath<TrackedState, Int>
    /// Returns whether the part equals the value that was read; always `false` for the shared object. Set before other
    /// threads use this object.
    var isUnchanged: @Sendable () -> Bool = { false }
    /// Whether all reads share this object, because `areKeyPathsRetained` is `false`.
    let isShared: Bool
    /// Whether the tracking code is being notified. Only the main thread uses this property and `isChangedAgain`.
    var isBeingNotified = false
    /// Whether another change was made while the tracking code was being notified. Used only for the shared object.
    var isChangedAgain = false
    // Each part has a registrar of its own, because a registrar retains the closures of tracking code until it notifies
    // them or is deallocated.
    private let registrar = ObservationRegistrar()

    init(_ number: Int, isShared: Bool = false) {
        path = \TrackedState.[number]
        self.isShared = isShared
    }

    /// Whether Observation retains the key path object of a tracked read, so that the retain count shows whether the
    /// read is tracked. Checked once in a process, by the first read.
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

    /// Parts for the next reads, which nothing tracks yet: one part for each of several groups of threads. A part is
    /// reused until a read is tracked, because creating a key path takes longer than the rest of a read. Threads of
    /// different groups do not wait for each other.
    private static let untracked = (0..<16).map { Locked(TrackedPart($0)) }

    /// Returns a part for a read by the calling thread, or `nil` if `withObservationTracking` does not track this read.
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

    // Not inlined, so that after the return no temporary copy retains the key path.
    @inline(never)
    func access() {
        registrar.access(TrackedState(), keyPath: path)
    }

    func notify() {
        registrar.willSet(TrackedState(), keyPath: path)
        registrar.didSet(TrackedState(), keyPath: path)
    }
}

/// The root type of the key paths of tracked parts. Nothing reads the subscript to which they refer.
private struct TrackedState: Observable {
    subscript(number: Int) -> Int { 0 }
}

/// A list of the tracked parts of a state, in the order in which they were read. Thread-safe: a thread may append a
/// part while the main thread checks the parts.
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

    /// The number of changes that were made while parts were tracked. A read of the whole state is tracked as a read of
    /// this number, so each change notifies the code that tracks it.
    final class Version: Sendable {
        let number = Atomic(0)
    }

    let version = Version()
    private let fields = Locked(Fields())

    /// The smallest value of `limit`. In a shorter list, parts that are no longer tracked stay until the next change.
    private static var leastLimit: Int { 16 }

    var all: [TrackedPart] { fields.withLock { $0.parts } }

    /// Appends a part. Returns parts that were removed because they are no longer tracked.
    func append(_ part: TrackedPart) -> [TrackedPart] {
        fields.withLock { fields in
            // If code tracks again and again without a change, the parts of its earlier reads must not accumulate.
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
