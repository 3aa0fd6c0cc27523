import ArchitectureEngine

enum Child {
    case listener(Listener)
    case run(StreamRun)
    case work(Work)
    case queue(PolicyQueue)
    case queues(PolicyQueues)
    case end(Work)

    /// Cancels the work of the child, which is neither a listener nor a run.
    func close() {
        switch self {
        case .run, .listener: break
        case .work(let work), .end(let work): work.cancel()
        case .queue(let queue): queue.close()
        case .queues(let queues): queues.close()
        }
    }
}

/// The children of a run that have not ended, in the order of their places.
///
/// A removed child leaves a gap, so removing costs O(log n), amortized.
struct Children {
    private var entries: [(place: Int, child: Child?)] = []
    private var gaps = 0

    var all: [Child] { entries.compactMap(\.child) }

    mutating func insert(_ child: Child, at place: Int) {
        // Another thread may have inserted a later child.
        entries.insert((place, child), at: index(of: place))
    }

    mutating func remove(at place: Int) -> Child? {
        let index = index(of: place)
        guard index < entries.count, entries[index].place == place else { return nil }
        let child = entries[index].child.take()
        gaps += 1
        if gaps > entries.count / 2 {
            entries.removeAll { $0.child == nil }
            gaps = 0
        }
        return child
    }

    private func index(of place: Int) -> Int {
        entries.partitioningIndex { $0.place >= place }
    }
}

extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies a predicate. All elements after it must satisfy the
    /// predicate, too. O(log n).
    func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if predicate(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
