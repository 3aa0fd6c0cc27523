/// An entry of a `CancellableList`.
@usableFromInline
package protocol CancellableEntry {
    var cancellation: Cancellation { get }
}

/// Entries in registration order, of which any is removed in O(1), amortised.
///
/// A removed entry leaves a gap. The list is compacted when more than half of it are gaps. Only the draining thread may
/// use it. An entry may send when it is deallocated. So removed entries are returned, and the caller releases them
/// after the change.
@usableFromInline
package struct CancellableList<Entry: CancellableEntry> {
    @usableFromInline package private(set) var entries: [Entry?] = []
    /// The number of entries that have not been removed. The other ones are gaps. A list of gaps alone is compacted.
    @usableFromInline package private(set) var count = 0

    /// With at most this number of gaps, the list is not compacted.
    private static var negligible: Int { 16 }

    @usableFromInline
    package init() {}

    @inlinable
    @inline(__always)
    package var isEmpty: Bool { count == 0 }

    /// Whether an entry is not cancelled.
    package var hasAny: Bool {
        entries.contains { entry in entry.map { !$0.cancellation.isCancelled } ?? false }
    }

    @usableFromInline
    package mutating func append(_ entry: Entry) {
        entry.cancellation.place = entries.count
        entries.append(entry)
        count += 1
    }

    /// Removes the entry of `cancellation`, if it is in the list.
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

    /// Removes the cancelled entries, and returns all entries that were in the list. O(n).
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
