import Synchronization

/// The questions of earlier cases of a property and their answers, to be asked again.
///
/// Unchecked: only this object and the case that takes an item refer to it. Where two checks of one
/// property run at once they may share an item. Its values must then be safe to read from both, as generated
/// states are.
package final class Earlier<Item>: @unchecked Sendable {
    private let lock = Mutex(0)
    private var items: [Item] = []

    package init() {}

    /// One of the items, in turns; `nil` before the first.
    package func next() -> Item? {
        lock.withLock { turn in
            turn += 1
            return items.isEmpty ? nil : items[turn % items.count]
        }
    }

    /// Keeps the item, unless there are enough.
    package func keep(_ item: Item) {
        lock.withLock { _ in
            if items.count < 8 { items.append(item) }
        }
    }
}
