internal import FunctionalCore
import Synchronization

/// Has things done on an actor, all of them and in the order they were posted, from whichever thread drains.
///
/// Unchecked: what is posted is called on `isolation` alone; the rest is touched under the lock.
@usableFromInline
package final class Mailbox: @unchecked Sendable {
    private let isolation: any Actor
    private let others: OtherMailboxes
    private let lock = Lock()
    private var waiting: [() -> Void] = []
    private var isUnderWay = false

    @usableFromInline
    package convenience init(of isolation: any Actor) {
        self.init(isolation, OtherMailboxes())
    }

    private init(_ isolation: any Actor, _ others: OtherMailboxes) {
        self.isolation = isolation
        self.others = others
    }

    /// This mailbox if it belongs to `isolation`, else a new one.
    @usableFromInline
    package func counterpart(on isolation: any Actor) -> Mailbox {
        isolation === self.isolation ? self : others.add(Mailbox(isolation, others))
    }

    deinit { lock.free() }

    /// Whether the caller is on the actor and nothing waits: then it may do by itself what it would post.
    @usableFromInline
    package var isOpenHere: Bool {
        guard isolation === MainActor.shared, CurrentThread.isMain else { return false }
        return lock.withLock { !isUnderWay }
    }

    /// Has `body` called on the actor, after everything that was posted before.
    @usableFromInline
    package func post(_ body: @escaping () -> Void) {
        enqueue(body)
        // Afterwards: a flush that does not see the count yet, has the body before it.
        others.postCount.add(1, ordering: .sequentiallyConsistent)
    }

    private func enqueue(_ body: @escaping () -> Void) {
        let starts = lock.withLock {
            waiting.append(body)
            defer { isUnderWay = true }
            return !isUnderWay
        }
        if starts { beginWork() }
    }

    private func beginWork() {
        if isolation === MainActor.shared {
            // Enqueued on the main actor here and now, so before whatever comes of this later.
            Task { @MainActor in work(on: MainActor.shared) }
        } else {
            Task { await work(on: isolation) }
        }
    }

    private func work(on isolation: isolated any Actor) {
        for body in takeWaiting() { body() }
        // In a task of its own: what is posted here again and again must not keep others from the actor.
        if !isDone() { beginWork() }
    }

    private func takeWaiting() -> [() -> Void] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    private func isDone() -> Bool {
        lock.withLock {
            isUnderWay = !waiting.isEmpty
            return !isUnderWay
        }
    }
}

// MARK: - Waiting

extension Mailbox {
    /// Waits until this mailbox and its counterparts have called everything that was posted so far. Returns `true` at
    /// once if nothing was posted since the last call with the same `posts`.
    package func flush(posts: inout Int) async -> Bool {
        let count = others.postCount.load(ordering: .sequentiallyConsistent)
        if count == posts { return true }
        posts = count
        for mailbox in [self] + others.all {
            await withCheckedContinuation { waiter in mailbox.enqueue { waiter.resume() } }
        }
        return false
    }
}

/// The counterparts of a mailbox on other actors.
///
/// Unchecked: the list is used under the lock.
private final class OtherMailboxes: @unchecked Sendable {
    private struct Reference {
        weak var mailbox: Mailbox?
    }

    let postCount = Atomic(0)
    private let lock = Lock()
    private var references: [Reference] = []
    private var limit = 8

    deinit { lock.free() }

    func add(_ mailbox: Mailbox) -> Mailbox {
        lock.withLock {
            if references.count == limit {
                references.removeAll { $0.mailbox == nil }
                limit = max(8, 2 * references.count)
            }
            references.append(Reference(mailbox: mailbox))
        }
        return mailbox
    }

    var all: [Mailbox] {
        lock.withLock { references.compactMap(\.mailbox) }
    }
}
