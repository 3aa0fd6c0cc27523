public import FunctionalCore
public import Synchronization

/// An observer of a value, mostly of the state of a runtime.
///
/// Unchecked: only the draining thread calls `accept`.
@usableFromInline
package final class Observer<Value>: CancellableEntry, @unchecked Sendable {
    /// Receives each value. A value is passed by its address, so that it is copied only if the observer keeps it.
    @usableFromInline package let accept: (Borrowed<Value>) -> Void
    /// The cancellation of this observer. An observer that is derived from this one shares it, so cancelling one
    /// cancels both.
    @usableFromInline package let cancellation: Cancellation
    /// The filter, if `onlyChanges(by:)` has created this observer. Otherwise `nil`.
    @usableFromInline let changes: ChangeFilter<Value>?

    @inlinable
    package init(_ cancellation: Cancellation = Cancellation(), _ accept: @escaping (Borrowed<Value>) -> Void) {
        self.accept = accept
        self.cancellation = cancellation
        changes = nil
    }

    @inlinable
    init(_ changes: ChangeFilter<Value>) {
        accept = { changes.pass($0.value) }
        cancellation = changes.cancellation
        self.changes = changes
    }

    /// Creates an observer that calls `body` in `isolation`. If `isolation` is `nil`, the draining thread calls `body`.
    /// If it is an actor, the calls are posted to the counterpart of `queue` on this actor. If that counterpart is open
    /// on the draining thread (`isOpenHere`), this thread calls `body` directly.
    @inlinable
    package convenience init(
        isolation: (any Actor)?,
        by queue: @autoclosure () -> ActorQueue,
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        until cancellation: Cancellation = Cancellation(),
        _ body: @escaping (Value) -> Void
    ) {
        let waiting = WaitingValues(buffering)
        guard let isolation else {
            self.init(cancellation) { body($0.value) }
            return
        }
        let queue = queue().counterpart(on: isolation)
        self.init(cancellation) { value in
            if queue.isOpenHere { return body(value.value) }
            let value = value.value
            if let waiting { return waiting.post(value, to: queue, until: cancellation, body) }
            queue.post(as: .observer) { if !cancellation.isCancelled { body(value) } }
        }
    }

    @inlinable
    package var isCancelled: Bool { cancellation.isCancelled }
}

/// The flag that cancels an entry of a `CancellableList`, such as an observer. The first cancellation calls a closure.
///
/// Unchecked: only the draining thread uses `place`.
@usableFromInline
package final class Cancellation: @unchecked Sendable {
    /// The index of the entry in its list. The list updates it.
    var place = 0
    @usableFromInline let flag = Atomic<Bool>(false)
    private let onCancel: @Sendable () -> Void

    @usableFromInline
    package init(_ onCancel: @escaping @Sendable () -> Void = {}) {
        self.onCancel = onCancel
    }

    @inlinable
    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Cancels the entry. May be called from any thread. Does not wait until calls of the entry have returned.
    ///
    /// After this function has returned, no thread decides to call the entry. A thread that has decided earlier may
    /// still make its call.
    @usableFromInline
    package func cancel() {
        if !flag.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}

// MARK: - Derived observers

extension Observer {
    /// Returns an observer that notifies this observer of the first value, and of each value that differs from the
    /// previous one.
    @inlinable
    package func onlyChanges(by isSame: @escaping (Value, Value) -> Bool) -> Observer {
        Observer(ChangeFilter(self, isSame))
    }

    /// Returns an observer that notifies this observer of all values except the first `count`. The first value is the
    /// one at the registration.
    @inlinable
    package func dropFirst(_ count: Int = 1) -> Observer {
        var left = count
        return Observer(cancellation) { [accept] value in if left > 0 { left -= 1 } else { accept(value) } }
    }

    /// Returns an observer of a whole value that notifies this observer of the part that `select` returns.
    @inlinable
    package func on<Whole>(_ select: @escaping (Whole) -> Value) -> Observer<Whole> {
        // Calling the filter directly saves a call for each change of the whole.
        if let changes { return Observer<Whole>(cancellation) { whole in changes.pass(select(whole.value)) } }
        return Observer<Whole>(cancellation) { [accept] whole in Borrowed.with(select(whole.value), accept) }
    }
}

/// A filter that notifies an observer of the first value, and of each value that differs from the previous one. Only
/// the draining thread uses the previous value, which `confined` stores.
@usableFromInline
final class ChangeFilter<Value>: Confined<Value?> {
    @usableFromInline let cancellation: Cancellation
    @usableFromInline let accept: (Borrowed<Value>) -> Void
    @usableFromInline let isSame: (Value, Value) -> Bool

    @inlinable
    init(_ observer: Observer<Value>, _ isSame: @escaping (Value, Value) -> Bool) {
        cancellation = observer.cancellation
        accept = observer.accept
        self.isSame = isSame
        super.init(confined: nil)
    }

    @inlinable
    deinit {}

    @inlinable
    @inline(__always)
    func pass(_ value: Value) {
        // A selector, `isSame` or another thread may have cancelled the observer.
        if cancellation.isCancelled { return }
        if let last = confined, isSame(last, value) || cancellation.isCancelled { return }
        passChange(value)
    }

    @inlinable
    @inline(never)
    func passChange(_ value: Value) {
        confined = value
        Borrowed.with(value, accept)
    }
}

// MARK: - Buffering

/// A buffer of values that wait for the actor of an observer, up to a limit. The queue of the actor contains one call
/// for each value in the buffer. Each call removes the oldest value and passes it to the observer.
///
/// Unchecked: the values are used under the lock, or by the thread that has removed them.
@usableFromInline
final class WaitingValues<Value>: @unchecked Sendable {
    private let limit: Int
    private let keepsNewest: Bool
    private let values = Locked(Queue<(value: Value, cause: TraceCause?)>())

    /// Creates a buffer. Returns `nil` if the policy has no limit. Traps if the limit is less than 1.
    @usableFromInline
    init?(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) {
        switch policy {
        case .bufferingNewest(let limit): (self.limit, keepsNewest) = (limit, true)
        case .bufferingOldest(let limit): (self.limit, keepsNewest) = (limit, false)
        default: return nil
        }
        checkCount(limit, in: 1...(.max), of: "The buffering of an observer")
    }

    /// Buffers a value, and enqueues a call of `body` on the actor. If the buffer is full, drops this value or the
    /// oldest one, as the buffering policy says, and enqueues no call.
    @usableFromInline
    func post(
        _ value: Value, to queue: ActorQueue, until cancellation: Cancellation, _ body: @escaping (Value) -> Void
    ) {
        let entry = (value: value, cause: TraceCause.current?.continued(by: .observer))
        // The dropped entry is released outside of the lock.
        let (isFull, dropped) = values.withLock { values -> (Bool, (value: Value, cause: TraceCause?)?) in
            let isFull = values.count >= limit
            let dropped = isFull && keepsNewest ? values.removeFirst() : nil
            if !isFull || keepsNewest { values.append(entry) }
            return (isFull, dropped)
        }
        withExtendedLifetime(dropped) {}
        if isFull { return }
        queue.post { [self] in
            let (value, cause) = values.withLock { $0.removeFirst() }
            if !cancellation.isCancelled { TraceCause.with(cause) { body(value) } }
        }
    }
}
