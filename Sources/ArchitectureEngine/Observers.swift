public import Synchronization

/// Who is told of each state, in the order they registered. Owned by a core's drain: only who drains touches the list.
@usableFromInline
package struct Observers<State> {
    @usableFromInline
    var list: [Observer<State>] = []

    package init() {}

    @inlinable
    package var isEmpty: Bool { list.isEmpty }

    /// Whether there is anybody to tell.
    package var hasAny: Bool { list.contains { !$0.isCancelled } }

    package mutating func append(_ observer: Observer<State>) {
        list.append(observer)
    }

    /// Lets go of the observers that were cancelled.
    @usableFromInline
    package mutating func removeCancelled() {
        list.removeAll { $0.isCancelled }
    }

    /// Calls each observer. They are lent the state: nothing is copied that they do not keep.
    @inlinable
    package mutating func notify(of state: UnsafePointer<State>) {
        var someAreCancelled = false
        // The list keeps its observers alive; a reference for each call would cost as much as the call.
        list.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { observer in
                    if observer.isCancelled { someAreCancelled = true } else { observer.accept(state) }
                }
            }
        }
        if someAreCancelled { removeCancelled() }
    }

    /// Cancels all.
    package mutating func removeAll() {
        for observer in list { observer.cancel() }
        list = []
    }
}

/// One who is told of each state.
///
/// Unchecked: `accept` is called by one thread at a time, the one that drains.
@usableFromInline
package final class Observer<State>: @unchecked Sendable {
    @usableFromInline package let accept: (UnsafePointer<State>) -> Void
    @usableFromInline let cancelled = Atomic<Bool>(false)
    @usableFromInline let onEnd: () -> Void

    @inlinable
    package init(onEnd: @escaping () -> Void = {}, _ accept: @escaping (UnsafePointer<State>) -> Void) {
        self.accept = accept
        self.onEnd = onEnd
    }

    @inlinable
    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// No call begins after this has returned. Any thread; never waits for a call that is going on.
    @inlinable
    package func cancel() {
        if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }
}
