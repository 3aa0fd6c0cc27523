import FunctionalCore

/// A table of values by keys, whose `Hashable` conformances may be code of the user. Thread-safe.
///
/// Hashing, comparing or releasing a key may run any code, even code that uses the same table. So the table does this
/// outside of its lock. The lock protects a dictionary by hash value. Keys with the same hash value are compared
/// outside of the lock. If the keys with this hash value have changed meanwhile, a new key is compared again before it
/// is inserted.
package final class KeyTable<Key: Hashable, Value>: Sendable {
    private final class Entry {
        let key: Key
        /// The value, or `nil` if the entry is not in the table. Used only under the lock.
        var value: Value?
        /// The number of values that were inserted before. Used only under the lock.
        var number = 0

        init(_ key: Key) {
            self.key = key
        }
    }

    private struct Fields {
        var entries: [Int: [Entry]] = [:]
        var count = 0
        var insertionCount = 0
        /// The number of values at which the next insertion removes the unneeded values.
        var limit = 16

        /// Removes the values for which `isRemoved` returns `true`. Returns these values and all earlier entries, which
        /// the caller releases outside of the lock.
        mutating func remove(where isRemoved: (Value) -> Bool) -> (values: [Value], entries: [Int: [Entry]]) {
            let all = entries
            var removed: [Value] = []
            entries = all.compactMapValues { entries in
                let kept = entries.filter { entry in
                    guard let value = entry.value, isRemoved(value) else { return true }
                    removed.append(value)
                    entry.value = nil
                    return false
                }
                return kept.isEmpty ? nil : kept
            }
            count -= removed.count
            limit = max(16, 2 * count)
            return (removed, all)
        }
    }

    private let fields = Locked(Fields())

    package init() {}

    /// The number of values.
    package var count: Int { fields.withLock { $0.count } }

    /// Returns whether `predicate`, which must not run code of the user, returns `true` for one of the values.
    package func contains(where predicate: (Value) -> Bool) -> Bool {
        fields.withLock { fields in
            fields.entries.values.contains { entries in entries.contains { $0.value.map(predicate) == true } }
        }
    }

    /// Returns the values whose keys satisfy `predicate`, in the order of their insertion. O(n log n).
    package func values(where predicate: (Key) -> Bool) -> [Value] {
        let entries = fields.withLock { $0.entries.values.joined().sorted { $0.number < $1.number } }
        return entries.filter { predicate($0.key) }.compactMap { entry in fields.withLock { _ in entry.value } }
    }

    /// Calls `body` under the lock with the value of a key, or with `nil` if the key has no value. `body` may set or
    /// remove the value, and must not run code of the user.
    ///
    /// - Parameters:
    ///   - key: The key. The table keeps the first copy of the key as long as the key has a value.
    ///   - isUnneeded: Returns whether a value may be removed. Must not run code of the user. When `body` inserts a
    ///     value, the table removes all unneeded values if it has at least 16 values and their number has doubled since
    ///     the last removal.
    ///   - body: The function to call.
    /// - Complexity: O(k) in the number of keys with the same hash value, amortized.
    package func update<Result>(
        _ key: Key, removing isUnneeded: (Value) -> Bool = { _ in false }, _ body: (inout Value?) -> Result
    ) -> Result {
        let hash = key.hashValue
        while true {
            let equalHashes = fields.withLock { $0.entries[hash] } ?? []
            let entry = equalHashes.first { $0.key == key } ?? Entry(key)
            var released: (values: [Value], entries: [Int: [Entry]])?
            let result: Result? = fields.withLock { fields in
                let isNew = entry.value == nil
                if isNew, !fields.entries[hash, default: []].elementsEqual(equalHashes, by: ===) { return nil }
                let result = body(&entry.value)
                if isNew, entry.value != nil {
                    if fields.count >= fields.limit { released = fields.remove(where: isUnneeded) }
                    fields.entries[hash, default: []].append(entry)
                    fields.count += 1
                    entry.number = fields.insertionCount
                    fields.insertionCount += 1
                } else if !isNew, entry.value == nil {
                    fields.entries[hash]?.removeAll { $0 === entry }
                    if fields.entries[hash]?.isEmpty == true { fields.entries[hash] = nil }
                    fields.count -= 1
                }
                return result
            }
            // Keys and removed values are released here, outside of the lock.
            withExtendedLifetime((equalHashes, entry, released)) {}
            if let result { return result }
        }
    }

    /// Removes all values, and returns them.
    package func removeAll() -> [Value] {
        let (values, entries) = fields.withLock { fields in fields.remove { _ in true } }
        withExtendedLifetime(entries) {}
        return values
    }
}
