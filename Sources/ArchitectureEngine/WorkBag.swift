import FunctionalCore

/// The works of one owner: of a component, or of one of its children. The owner closes the bag when it is gone, which
/// cancels the works.
@usableFromInline
package final class WorkBag: Sendable {
    private struct Entry {
        let work: Work
        var queue: PolicyQueue?
    }

    private struct Entries {
        var entries: [Int: Entry] = [:]
        var nextNumber = 0
    }

    // The works by number, or `nil` after the bag was closed.
    private let works = Locked<Entries?>(Entries())

    @usableFromInline
    package init() {}

    /// Whether the bag contains no works.
    package var isEmpty: Bool { works.withLock { $0?.entries.isEmpty != false } }

    /// Starts a task that does `work` by calling `body`; see `Work.startTask`. If the bag is closed, cancels `work`.
    package func begin(
        _ work: Work, in context: @autoclosure () -> SendContext, on executor: (any TaskExecutor)?,
        _ body: @escaping @Sendable () async -> Void
    ) {
        let number = insert(work)
        work.startTask(in: context(), on: executor) { [self] in
            await body()
            remove(number)
        }
    }

    /// Adds a work until it ends, and returns its number. If the bag is closed, cancels `work`.
    @discardableResult
    package func add(_ work: Work) -> Int? {
        let number = insert(work)
        work.onFinish { [weak self] in self?.remove(number) }
        return number
    }

    private func insert(_ work: Work) -> Int? {
        let number: Int? = works.withLock { works in
            defer { works?.nextNumber += 1 }
            guard let number = works?.nextNumber else { return nil }
            works?.entries[number] = Entry(work: work)
            return number
        }
        if number == nil { work.cancel(.abandoned) }
        return number
    }

    private func remove(_ number: Int?) {
        // The entry is released outside of the lock.
        if let number { _ = works.withLock { $0?.entries.removeValue(forKey: number) } }
    }

    /// Records that the policy of `queue` has started the work with this number. Closing the bag also makes its place
    /// in the queue free.
    package func start(_ number: Int?, in queue: PolicyQueue) {
        if let number { works.withLock { $0?.entries[number]?.queue = queue } }
    }

    /// Cancels all works, in the order in which they were added. Works that are added later are cancelled at once.
    package func close() {
        Self.cancel(take())
    }

    /// Closes bags. Their works are cancelled before a place of one is free, so that none of them takes it.
    package static func close(_ bags: [WorkBag]) {
        cancel(bags.flatMap { $0.take() })
    }

    private func take() -> [Entry] {
        guard let closed = works.withLock({ $0.take() }), !closed.entries.isEmpty else { return [] }
        return closed.entries.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func cancel(_ entries: [Entry]) {
        for entry in entries { entry.work.cancel(.abandoned) }
        for entry in entries { entry.queue?.release(entry.work) }
    }
}
