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
/// All parts share one registrar. Each read of a part has its own key path, with a unique number. Tracking retains the
/// key paths that it tracks, so a key path that only this object retains is not tracked. If tracking does not retain
/// key paths, all reads share one key path, and each change notifies all observers.
@usableFromInline
package final class ObservationBridge: Observable, Sendable {
    // The number of tracked parts.
    @usableFromInline let trackedCount = Atomic<Int>(0)
    private let isScheduled = Atomic<Bool>(false)
    // Created by the first read, because most owners are never read in this way.
    private let trackedParts = AtomicLazyReference<TrackedParts>()

    @usableFromInline
    package init() {}

    // The member that key paths name. Nothing reads it.
    fileprivate subscript(number: Int) -> Int { 0 }

    /// Reads the whole state. If the read is tracked, the next change notifies its observers.
    package func read<Value>(_ value: () -> Value) -> Value {
        _ = read(part: { [version = parts.version] in version.number.load(ordering: .acquiring) }, by: ==)
        return value()
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
        let parts = parts
        if let path = parts.sharedPath {
            access(path, in: parts.registrar)
            if parts.appendFirst(TrackedPart(path: path, isUnchanged: { false })) {
                trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
            }
            return part()
        }
        var path = parts.takePath()
        access(path, in: parts.registrar)
        if isKnownUniquelyReferenced(&path) {
            parts.putBack(path)
            return part()
        }
        // Counted before the read: if the read misses a change, the parts are checked after this change.
        trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let value = part()
        forget(parts.append(TrackedPart(path: path, isUnchanged: { isSame(value, part()) })))
        return value
    }

    // Not inlined, so that only tracking and the caller retain the key path after this call.
    @inline(never)
    private func access(_ path: KeyPath<ObservationBridge, Int>, in registrar: ObservationRegistrar) {
        registrar.access(self, keyPath: path)
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
                // If all reads share one part, some reads may have been tracked since the notification began.
                part.isChangedAgain = parts.sharedPath != nil
                continue
            }
            if part.isUnchanged() { continue }
            isAnyChanged = true
            part.isBeingNotified = true
            repeat {
                part.isChangedAgain = false
                parts.registrar.willSet(self, keyPath: part.path)
                parts.registrar.didSet(self, keyPath: part.path)
            } while part.isChangedAgain
            part.isBeingNotified = false
        }
        return isAnyChanged
    }

    /// Whether tracking retains the very key path that was read. Checked once in a process, by the first read.
    fileprivate static let areKeyPathsRetained = SelfCheck.passes(
        {
            let bridge = ObservationBridge()
            var path: KeyPath<ObservationBridge, Int> = TrackedParts.path(0)
            return withObservationTracking {
                bridge.access(path, in: ObservationRegistrar())
                return !isKnownUniquelyReferenced(&path)
            } onChange: {
            }
        },
        otherwise: """
            Observation does not retain the key paths that it tracks. Each change of a state now notifies all code that \
            tracks the state or a part of it.
            """)

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
    var path: KeyPath<ObservationBridge, Int>
    let isUnchanged: @Sendable () -> Bool
    /// Whether the observers of the part are being notified. Only the main thread uses this and `isChangedAgain`.
    var isBeingNotified = false
    /// Whether another change was made while the part was being notified.
    var isChangedAgain = false

    init(path: KeyPath<ObservationBridge, Int>, isUnchanged: @escaping @Sendable () -> Bool) {
        self.path = path
        self.isUnchanged = isUnchanged
    }
}

/// The tracked parts of a state, in the order in which they were read. A thread may track a part while the main thread
/// checks the parts.
private final class TrackedParts: Sendable {
    private struct Fields {
        var parts: [TrackedPart] = []
        var limit = TrackedParts.leastLimit
        // A key path for the next read. Creating a key path takes longer than the rest of a read that is not tracked.
        var spare: KeyPath<ObservationBridge, Int>?
        var pathCount = 0

        mutating func takeUntracked() -> [TrackedPart] {
            var tracked = 0
            for index in parts.indices where !isKnownUniquelyReferenced(&parts[index].path) {
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

    let registrar = ObservationRegistrar()
    let version = Version()
    /// The key path of all reads, or `nil` if tracking retains key paths.
    let sharedPath: (any KeyPath<ObservationBridge, Int> & Sendable)? =
        ObservationBridge.areKeyPathsRetained ? nil : path(0)
    private let fields = Locked(Fields())

    /// If there are fewer parts than this, parts that are no longer tracked stay in the list until the next change.
    private static var leastLimit: Int { 16 }

    var all: [TrackedPart] { fields.withLock { $0.parts } }

    /// Returns a key path that is not tracked and that only the caller retains.
    func takePath() -> KeyPath<ObservationBridge, Int> {
        let (spare, number) = fields.withLock { fields in
            if fields.spare == nil { fields.pathCount += 1 }
            return (fields.spare.take(), fields.pathCount)
        }
        return spare ?? Self.path(number)
    }

    static func path(_ number: Int) -> any KeyPath<ObservationBridge, Int> & Sendable {
        \ObservationBridge.[number]
    }

    /// Stores a key path that is not tracked, for the next read.
    func putBack(_ path: KeyPath<ObservationBridge, Int>) {
        fields.withLock { $0.spare = path }
    }

    /// Appends a part. Returns parts that were removed because they are no longer tracked.
    func append(_ part: TrackedPart) -> [TrackedPart] {
        fields.withLock { fields in
            // If code tracks again and again without a change, the parts that were tracked before must not pile up.
            let removed = fields.parts.count >= fields.limit ? fields.takeUntracked() : []
            fields.parts.append(part)
            return removed
        }
    }

    /// Appends `part` if the list is empty. Returns whether it did.
    func appendFirst(_ part: TrackedPart) -> Bool {
        fields.withLock { fields in
            guard fields.parts.isEmpty else { return false }
            fields.parts.append(part)
            return true
        }
    }

    /// Removes and returns the parts that are no longer tracked.
    func removeUntracked() -> [TrackedPart] {
        fields.withLock { $0.takeUntracked() }
    }
}
