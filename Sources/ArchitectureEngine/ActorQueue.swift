internal import FunctionalCore
import Synchronization

/// Has things done on an actor, all of them and in the order they were posted, from whichever thread drains.
///
/// Unchecked: what is posted is called on `isolation` alone; the rest is touched under the lock.
@usableFromInline
package final class ActorQueue: @unchecked Sendable {
    private let isolation: any Actor
    private let others: Counterparts
    private let lock = Locked()
    private var waiting: [() -> Void] = []
    private var isUnderWay = false

    @usableFromInline
    package convenience init(of isolation: any Actor) {
        self.init(isolation, Counterparts())
    }

    private init(_ isolation: any Actor, _ others: Counterparts) {
        self.isolation = isolation
        self.others = others
    }

    /// This actorQueue if it belongs to `isolation`, else a new one.
    @usableFromInline
    package func counterpart(on isolation: any Actor) -> ActorQueue {
        isolation === self.isolation ? self : others.add(ActorQueue(isolation, others))
    }

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

extension ActorQueue {
    /// Waits until this actorQueue and its counterparts have called everything that was posted so far. Returns `true` at
    /// once if nothing was posted since the last call with the same `posts`.
    package func flush(posts: inout Int) async -> Bool {
        let count = others.postCount.load(ordering: .sequentiallyConsistent)
        if count == posts { return true }
        posts = count
        for actorQueue in [self] + others.all {
            await withCheckedContinuation { waiter in actorQueue.enqueue { waiter.resume() } }
        }
        return false
    }
}

/// The counterparts of a actorQueue on other actors.
///
/// Unchecked: the list is used under the lock.
private final class Counterparts: @unchecked Sendable {
    private struct Reference {
        weak var actorQueue: ActorQueue?
    }

    let postCount = Atomic(0)
    private let lock = Locked()
    private var references: [Reference] = []
    private var limit = 8

    func add(_ actorQueue: ActorQueue) -> ActorQueue {
        lock.withLock {
            if references.count == limit {
                references.removeAll { $0.actorQueue == nil }
                limit = max(8, 2 * references.count)
            }
            references.append(Reference(actorQueue: actorQueue))
        }
        return actorQueue
    }

    var all: [ActorQueue] {
        lock.withLock { references.compactMap(\.actorQueue) }
    }
}
