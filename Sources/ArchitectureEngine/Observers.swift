public import Synchronization

/// The observers of a state, in registration order. Only the draining thread may use the list.
@usableFromInline
package struct Observers<State> {
    @usableFromInline
    var list = CancellableList<Observer<State>>()

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { list.isEmpty }

    /// Whether an observer is not cancelled.
    package var hasAny: Bool { list.hasAny }

    @inlinable
    package mutating func append(_ observer: Observer<State>) {
        list.append(observer)
    }

    /// Removes the observer of `cancellation`. O(1), amortised. The caller releases the result after the change, as the
    /// observer may send when it is deallocated.
    @usableFromInline
    @discardableResult
    package mutating func remove(_ cancellation: Cancellation) -> Observer<State>? {
        list.remove(cancellation)
    }

    /// Removes the cancelled observers. O(n). The caller releases the result after the change.
    @usableFromInline
    @inline(never)
    @discardableResult
    package mutating func removeCancelled() -> [Observer<State>?] {
        list.removeCancelled()
    }

    /// Calls each observer, and `beforeEach` before it. The state is lent: only what an observer keeps is copied. The
    /// caller releases the result after the change.
    @inlinable
    @discardableResult
    package mutating func notify(
        of state: UnsafePointer<State>, beforeEach: (ObjectIdentifier) -> Void = { _ in }
    ) -> [Observer<State>?] {
        var someAreCancelled = false
        // The list retains its observers; a retain and a release for each call would cost as much as the call.
        list.entries.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                guard let entry = observers[index] else { continue }
                Unmanaged.passUnretained(entry)._withUnsafeGuaranteedRef { observer in
                    if !observer.isCancelled {
                        beforeEach(ObjectIdentifier(observer))
                        observer.accept(state)
                    }
                    // Its own call, or a released owner, may have cancelled it.
                    if observer.isCancelled { someAreCancelled = true }
                }
            }
        }
        return someAreCancelled ? removeCancelled() : []
    }

    /// Cancels all. The caller releases the result after the change.
    @inline(never)
    @discardableResult
    package mutating func cancelAll() -> [Observer<State>?] {
        markCancelled()
        return removeAll()
    }

    /// Cancels all and keeps them: the list must not change while its observers are being notified.
    package func markCancelled() {
        for case let observer? in list.entries { observer.cancellation.cancel() }
    }

    /// Removes all; a notification that is on its way to one of them still arrives. The caller releases the result
    /// after the change.
    @inline(never)
    @discardableResult
    package mutating func removeAll() -> [Observer<State>?] {
        list.removeAll()
    }
}

extension SerialCore {
    /// Notifies `observers` of the state. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func notify(_ observers: inout Observers<State>) {
        observers.notify(of: state) { sender = $0 }
        sender = nil
    }

    /// Notifies `observers` of a value other than the state. Only the draining thread may call this.
    package func notify<Value>(_ observers: inout Observers<Value>, of value: Value) {
        _ = withUnsafePointer(to: value) { observers.notify(of: $0) { sender = $0 } }
        sender = nil
    }

    /// Adds an observer and notifies it of the state. Only the draining thread may call this.
    package func add(_ observer: Observer<State>, to observers: inout Observers<State>) {
        // Cancelled while it was enqueued.
        if observer.isCancelled { return }
        observers.append(observer)
        sender = ObjectIdentifier(observer)
        observer.accept(state)
        sender = nil
    }
}

/// An observer of a state.
///
/// Unchecked: only the draining thread calls `accept`.
@usableFromInline
package final class Observer<State>: CancellableEntry, @unchecked Sendable {
    @usableFromInline package let accept: (UnsafePointer<State>) -> Void
    /// Shared with the observer that this one was derived from: if one is cancelled, both are.
    @usableFromInline package let cancellation: Cancellation

    @inlinable
    package init(_ cancellation: Cancellation = Cancellation(), _ accept: @escaping (UnsafePointer<State>) -> Void) {
        self.accept = accept
        self.cancellation = cancellation
    }

    @inlinable
    package var isCancelled: Bool { cancellation.isCancelled }
}

/// Whether an observer, or another entry of a `CancellableList`, was cancelled, and what to do then.
///
/// Unchecked: only the draining thread uses `place`.
@usableFromInline
package final class Cancellation: @unchecked Sendable {
    /// The place of the entry in its list, whose owner maintains it.
    var place = 0
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
