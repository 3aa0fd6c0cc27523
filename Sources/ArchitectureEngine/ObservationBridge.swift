internal import FunctionalCore
import Observation
public import Synchronization

/// What `withObservationTracking` tracks of a component or a store: its whole state, and parts of it.
///
/// An observer is notified after the change and on the main actor. Tracking installs its observers when the tracked
/// closure returns. A notification on another thread, or while the change is made, can come before that and be lost; on
/// the main actor none is lost. The whole state notifies on each change. A part notifies if its value differs from the
/// value that was read.
///
/// All parts share one registrar. Each read of a part has a key path of its own, with a number that no other has.
/// Tracking retains the key paths that it tracks, so a key path that only this retains is not tracked. If tracking does
/// not retain them, all reads share one key path, and each change notifies.
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

    /// Reads the whole state. If the read is tracked, the next change notifies.
    package func read<Value>(_ value: () -> Value) -> Value {
        _ = read(part: { [version = parts.version] in version.number.load(ordering: .acquiring) }, by: ==)
        return value()
    }

    /// Reads a part of the state. If the read is tracked, the first change that `isSame` does not accept notifies.
    ///
    /// - Parameters:
    ///   - part: Reads the part. It is kept while the part is tracked, so it must not retain the owner of this.
    ///   - isSame: Whether a value is the same as the one that was read.
    /// - Complexity: O(1), amortized. A read that is not tracked leaves nothing behind.
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
        // Before the read: a change that the read does not see is one after which the parts are checked.
        trackedCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let value = part()
        forget(parts.append(TrackedPart(path: path, isUnchanged: { isSame(value, part()) })))
        return value
    }

    // Not inlined: nothing but tracking retains the key path when this has returned.
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

    /// Notifies of a change that was made. The draining thread calls this after each change if the state is tracked.
    ///
    /// - Complexity: O(k) in the number of tracked parts.
    package func notify() {
        parts.version.number.wrappingAdd(1, ordering: .acquiringAndReleasing)
        if CurrentThread.isMain { return notifyHere() }
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { @MainActor in
            // Before the parts are read: a change that they do not show schedules another task.
            isScheduled.store(false, ordering: .releasing)
            notifyHere()
        }
    }

    private func notifyHere() {
        guard let parts = trackedParts.load() else { return }
        forget(parts.removeUntracked())
        if notifyChanged(in: parts) { forget(parts.removeUntracked()) }
    }

    /// Notifies of the parts that have changed. Returns whether there were any.
    ///
    /// An observer may track again, which changes the list of parts, but not this copy of it. It may also make further
    /// changes, for which this is called again: an observer that is being notified must not be notified once more.
    private func notifyChanged(in parts: TrackedParts) -> Bool {
        var isAnyChanged = false
        for part in parts.all {
            if part.isBeingNotified {
                // If all reads share the part, some may have been tracked since the notification began.
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

/// A part that was read while tracking, and whether it is still as it was read.
private final class TrackedPart {
    var path: KeyPath<ObservationBridge, Int>
    let isUnchanged: @Sendable () -> Bool
    /// Used on the main thread alone, as is `isChangedAgain`.
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
        // To make a key path takes longer than everything else about a read that is not tracked.
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

    /// Counts the changes that are made while parts are tracked: the part that stands for the whole state.
    final class Version: Sendable {
        let number = Atomic(0)
    }

    let registrar = ObservationRegistrar()
    let version = Version()
    /// The key path of all reads if tracking does not retain key paths, or `nil`.
    let sharedPath: (any KeyPath<ObservationBridge, Int> & Sendable)? =
        ObservationBridge.areKeyPathsRetained ? nil : path(0)
    private let fields = Locked(Fields())

    /// With fewer parts, those that are no longer tracked stay until the next change.
    private static var leastLimit: Int { 16 }

    var all: [TrackedPart] { fields.withLock { $0.parts } }

    /// Returns a key path that nothing tracks, and that only the caller has.
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

    /// Takes back a key path that is not tracked.
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

    /// Appends a part if there is none. Returns whether it did.
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
