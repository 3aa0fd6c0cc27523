public import FunctionalCore

/// An observer of a value, mostly of the state of a runtime.
///
/// Unchecked: only the draining thread calls `accept`.
@usableFromInline
package final class Observer<Value>: CancellableEntry, @unchecked Sendable {
    /// Receives each value. A value is passed by its address, so that it is copied only if the observer keeps it.
    ///
    /// `observe` of a front door builds it with `init(isolation:by:buffering:until:_:)`, and the derived observers below
    /// build theirs around it. `RuntimeCore.notify(_:of:)` calls it after a change, and `RuntimeCore.add(_:)` at the
    /// registration.
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
        let waiting = BufferedValues(buffering)
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
