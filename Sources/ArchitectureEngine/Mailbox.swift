internal import FunctionalCore

/// Has things done on an actor, all of them and in the order they were posted, from whichever thread drains.
///
/// Unchecked: what is posted is called on `isolation` alone; the rest is touched under the lock.
@usableFromInline
package final class Mailbox: @unchecked Sendable {
    private let isolation: any Actor
    private let carrying: Carrying?
    private let lock = Lock()
    private var waiting: [() -> Void] = []
    private var isUnderWay = false

    /// Makes of what is posted what is to be called: called by who posts, so that what is known there can be taken
    /// along.
    @usableFromInline
    package typealias Carrying = @Sendable (_ body: @escaping () -> Void) -> () -> Void

    @usableFromInline
    package init(of isolation: any Actor, carrying: Carrying? = nil) {
        self.isolation = isolation
        self.carrying = carrying
    }

    /// This one where it is of `isolation`; otherwise a new one that carries the same.
    @usableFromInline
    package func counterpart(on isolation: any Actor) -> Mailbox {
        isolation === self.isolation ? self : Mailbox(of: isolation, carrying: carrying)
    }

    deinit { lock.free() }

    /// Whether the caller is on the actor and nothing waits: then it may do by itself what it would post.
    @usableFromInline
    package var isOpenHere: Bool {
        guard isolation === MainActor.shared, CurrentThread.isMain else { return false }
        return lock.withLock { !isUnderWay }
    }

    /// Calls what may be called here, as `isOpenHere` says, with what is carried.
    @usableFromInline
    package func call(_ body: () -> Void) {
        guard let carrying else { return body() }
        withoutActuallyEscaping(body) { carrying($0)() }
    }

    /// Has `body` called on the actor, after all that was posted before.
    @usableFromInline
    package func post(_ body: @escaping () -> Void) {
        let body = carrying?(body) ?? body
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
