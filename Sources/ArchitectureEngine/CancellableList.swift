/// An entry of a `CancellableList`.
@usableFromInline
package protocol CancellableEntry {
    var cancellation: Cancellation { get }
}

/// A list of entries in registration order. Removing an entry is O(1), amortized.
///
/// A removed entry leaves a gap. `remove(_:)` compacts the list when only gaps are left, or when the number of gaps
/// exceeds half of the list by more than `negligible`. Only the draining thread may use the list. Deallocating an entry
/// may send a message. So the functions return the removed entries, and the caller releases them after the change.
@usableFromInline
package struct CancellableList<Entry: CancellableEntry> {
    @usableFromInline package private(set) var entries: [Entry?] = []
    /// The number of entries that have not been removed. The other elements of `entries` are gaps.
    @usableFromInline package private(set) var count = 0

    /// The number of gaps up to which `remove(_:)` does not compact a list that contains an entry.
    private static var negligible: Int { 16 }

    @usableFromInline
    package init() {}

    @inlinable
    @inline(__always)
    package var isEmpty: Bool { count == 0 }

    /// Whether the list contains an entry that is not cancelled.
    package var hasAny: Bool {
        entries.contains { entry in entry.map { !$0.cancellation.isCancelled } ?? false }
    }

    @usableFromInline
    package mutating func append(_ entry: Entry) {
        entry.cancellation.place = entries.count
        entries.append(entry)
        count += 1
    }

    /// Removes and returns the entry of `cancellation`. Returns `nil` if the entry is not in the list.
    package mutating func remove(_ cancellation: Cancellation) -> Entry? {
        let place = cancellation.place
        guard entries.indices.contains(place), let entry = entries[place], entry.cancellation === cancellation else {
            return nil
        }
        entries[place] = nil
        count -= 1
        if count == 0 || entries.count - count > entries.count / 2 + Self.negligible { compact() }
        return entry
    }

    /// Removes the cancelled entries. Returns the earlier contents of the list, which the caller releases. O(n) in the
    /// length of the list.
    @usableFromInline
    @inline(never)
    package mutating func removeCancelled() -> [Entry?] {
        let all = entries
        for (place, entry) in all.enumerated() where entry?.cancellation.isCancelled == true { entries[place] = nil }
        compact()
        return all
    }

    private mutating func compact() {
        count = 0
        for entry in entries {
            guard let entry else { continue }
            entry.cancellation.place = count
            entries[count] = entry
            count += 1
        }
        entries.removeSubrange(count...)
    }
}
