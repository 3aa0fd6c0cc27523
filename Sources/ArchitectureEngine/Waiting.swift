/// Works that have not started, in the order they came. Adding and taking any of them out costs the same for any
/// number.
struct Waiting {
    struct Entry {
        let work: WorkItem
        let start: @Sendable (WorkItem, Lane) -> Void
    }

    private var entries: [Int: Entry] = [:]
    // Every place of an entry lies in between; those that were taken out leave gaps.
    private var head = 0
    private var tail = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ entry: Entry) {
        entry.work.place = tail
        entries[tail] = entry
        tail += 1
    }

    mutating func popFirst() -> Entry? {
        while head < tail {
            defer { head += 1 }
            if let entry = entries.removeValue(forKey: head) { return entry }
        }
        return nil
    }

    /// Takes an entry out of its place; nil when it is not there (any more).
    mutating func remove(_ work: WorkItem) -> Entry? {
        guard entries[work.place]?.work === work else { return nil }
        return entries.removeValue(forKey: work.place)
    }

    mutating func removeAll() -> [Entry] {
        defer {
            entries.removeAll()
            head = tail
        }
        return entries.isEmpty ? [] : entries.sorted { $0.key < $1.key }.map(\.value)
    }
}
