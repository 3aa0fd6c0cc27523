public import Synchronization

/// Who is told of each state, in the order they registered. Owned by a core's drain: only who drains touches the list.
@usableFromInline
package struct Observers<State> {
    @usableFromInline
    var list: [Observer<State>] = []

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { list.isEmpty }

    /// Whether there is anybody to tell.
    package var hasAny: Bool { list.contains { !$0.isCancelled } }

    @inlinable
    package mutating func append(_ observer: Observer<State>) {
        list.append(observer)
    }

    /// Lets go of the observers that were cancelled. What is returned is to be freed by the caller, when the list is no
    /// longer being changed: what an observer held may come back to it as it goes away.
    @usableFromInline
    @inline(never)
    @discardableResult
    package mutating func removeCancelled() -> [Observer<State>] {
        let all = list
        list = all.filter { !$0.isCancelled }
        return all
    }

    /// Calls each observer. They are lent the state: nothing is copied that they do not keep. What is returned is to be
    /// freed by the caller, as `removeCancelled()` says.
    @inlinable
    @discardableResult
    package mutating func notify(of state: UnsafePointer<State>) -> [Observer<State>] {
        var someAreCancelled = false
        // The list keeps its observers alive; a reference for each call would cost as much as the call.
        list.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { observer in
                    if !observer.isCancelled { observer.accept(state) }
                    // Asked again: it may have been cancelled by its own call, or have found its owner gone.
                    if observer.isCancelled { someAreCancelled = true }
                }
            }
        }
        return someAreCancelled ? removeCancelled() : []
    }

    /// Cancels all. What is returned is to be freed by the caller, as `removeCancelled()` says.
    @inline(never)
    @discardableResult
    package mutating func cancelAll() -> [Observer<State>] {
        markCancelled()
        return removeAll()
    }

    /// Cancels all and keeps them: while they are being told, the list must stay as it is.
    package func markCancelled() {
        for observer in list { observer.cancellation.cancel() }
    }

    /// Lets go of all; what is on its way to one of them still arrives. What is returned is to be freed by the caller,
    /// as `removeCancelled()` says.
    @inline(never)
    @discardableResult
    package mutating func removeAll() -> [Observer<State>] {
        let all = list
        list = []
        return all
    }
}

/// One who is told of each state.
///
/// Unchecked: `accept` is called by one thread at a time, the one that drains.
@usableFromInline
package final class Observer<State>: @unchecked Sendable {
    @usableFromInline package let accept: (UnsafePointer<State>) -> Void
    /// Shared with the observers that this one was made of: whichever is cancelled, all are.
    @usableFromInline package let cancellation: Cancellation

    @inlinable
    package init(_ cancellation: Cancellation = Cancellation(), _ accept: @escaping (UnsafePointer<State>) -> Void) {
        self.accept = accept
        self.cancellation = cancellation
    }

    @inlinable
    package var isCancelled: Bool { cancellation.isCancelled }
}

/// Whether an observer was cancelled, and what to do then.
@usableFromInline
package final class Cancellation: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)
    private let onCancel: @Sendable () -> Void

    @usableFromInline
    package init(_ onCancel: @escaping @Sendable () -> Void = {}) {
        self.onCancel = onCancel
    }

    @inlinable
    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// No call begins after this has returned. Any thread; never waits for a call that is going on.
    @usableFromInline
    package func cancel() {
        if !flag.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}
