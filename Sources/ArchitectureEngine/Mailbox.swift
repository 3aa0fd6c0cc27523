internal import FunctionalCore

/// Has things done on an actor, all of them and in the order they were posted, from whichever thread drains.
///
/// Unchecked: what is posted is called on `isolation` alone; the rest is touched under the lock.
@usableFromInline
package final class Mailbox: @unchecked Sendable {
    private let isolation: any Actor
    private let lock = Lock()
    private var waiting: [() -> Void] = []
    private var isUnderWay = false

    @usableFromInline
    package init(of isolation: any Actor) {
        self.isolation = isolation
    }

    deinit { lock.free() }

    /// Whether the caller is on the actor and nothing waits: then it may do by itself what it would post.
    @usableFromInline
    package var isOpenHere: Bool {
        guard isolation === MainActor.shared, CurrentThread.isMain else { return false }
        return lock.withLock { !isUnderWay }
    }

    /// Has `body` called on the actor, after all that was posted before.
    @usableFromInline
    package func post(_ body: @escaping () -> Void) {
        let starts = lock.withLock {
            waiting.append(body)
            defer { isUnderWay = true }
            return !isUnderWay
        }
        if !starts { return }
        if isolation === MainActor.shared {
            // Enqueued on the main actor here and now, so before whatever comes of this later.
            Task { @MainActor in work(on: MainActor.shared) }
        } else {
            Task { await work(on: isolation) }
        }
    }

    private func work(on isolation: isolated any Actor) {
        while let bodies = takeWaiting() {
            for body in bodies { body() }
        }
    }

    private func takeWaiting() -> [() -> Void]? {
        lock.withLock {
            isUnderWay = !waiting.isEmpty
            defer { waiting = [] }
            return isUnderWay ? waiting : nil
        }
    }
}
