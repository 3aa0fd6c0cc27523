/// Brings values to a closure that belongs to an actor, all of them and in order, from whichever thread drains.
///
/// Unchecked: `body` is called on `isolation` alone; `observer` is set before anybody else knows of this; the rest is
/// touched under the lock.
@usableFromInline
package final class Delivery<Value>: @unchecked Sendable {
    /// What is delivered after this one was cancelled, or is gone, is dropped.
    @usableFromInline package weak var observer: Observer<Value>?

    private let isolation: any Actor
    private let body: (Value) -> Void
    private let lock = Lock()
    private var waiting: [Value] = []
    private var isUnderWay = false

    @usableFromInline
    package init(to isolation: any Actor, _ body: @escaping (Value) -> Void) {
        self.isolation = isolation
        self.body = body
    }

    deinit { lock.free() }

    /// Delivers `value`: at once when that is possible here and nothing waits, else by a task on the actor.
    @usableFromInline
    package func deliver(_ value: Value) {
        let isHere = isolation === MainActor.shared && CurrentThread.isMain
        lock.lock()
        if isHere, !isUnderWay {
            lock.unlock()
            return body(value)
        }
        waiting.append(value)
        let starts = !isUnderWay
        isUnderWay = true
        lock.unlock()
        if !starts { return }
        if isolation === MainActor.shared {
            // Enqueued on the main actor here and now, so before whatever comes of this later.
            Task { @MainActor in workOnMainActor() }
        } else {
            Task { await work(on: isolation) }
        }
    }

    @MainActor
    private func workOnMainActor() {
        work(on: MainActor.shared)
    }

    private func work(on isolation: isolated any Actor) {
        while let values = takeWaiting() {
            for value in values where observer?.isCancelled == false { body(value) }
        }
    }

    private func takeWaiting() -> [Value]? {
        lock.withLock {
            isUnderWay = !waiting.isEmpty
            defer { waiting = [] }
            return isUnderWay ? waiting : nil
        }
    }
}
