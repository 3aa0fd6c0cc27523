public import Synchronization

/// An observer of a value, mostly of the state of a runtime.
///
/// Unchecked: only the draining thread calls `accept`.
@usableFromInline
package final class Observer<Value>: CancellableEntry, @unchecked Sendable {
    /// Receives the value. It is passed by its address, so that only what an observer keeps is copied.
    @usableFromInline package let accept: (UnsafePointer<Value>) -> Void
    /// Shared with the observer that this one was derived from: if one is cancelled, both are.
    @usableFromInline package let cancellation: Cancellation

    @inlinable
    package init(_ cancellation: Cancellation = Cancellation(), _ accept: @escaping (UnsafePointer<Value>) -> Void) {
        self.accept = accept
        self.cancellation = cancellation
    }

    /// An observer whose `body` belongs to `isolation`. `queue` is the queue of the main actor, and leads to those of other
    /// actors.
    @inlinable
    package convenience init(
        isolation: (any Actor)?,
        by queue: @autoclosure () -> ActorQueue,
        until cancellation: Cancellation = Cancellation(),
        _ body: @escaping (Value) -> Void
    ) {
        guard let isolation else {
            self.init(cancellation) { body($0.pointee) }
            return
        }
        let queue = queue().counterpart(on: isolation)
        self.init(cancellation) { value in
            if queue.isOpenHere { return body(value.pointee) }
            let value = value.pointee
            queue.post { if !cancellation.isCancelled { body(value) } }
        }
    }

    @inlinable
    package var isCancelled: Bool { cancellation.isCancelled }
}

/// Whether an entry of a `CancellableList`, such as an observer, was cancelled, and a call for that moment.
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

    /// No call begins after this has returned. May be called from any thread; never waits for a call that is under way.
    @usableFromInline
    package func cancel() {
        if !flag.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}

// MARK: - Derived observers

extension Observer {
    /// An observer that is notified if its value differs from the one before.
    @inlinable
    package func onlyChanges(by isSame: @escaping (Value, Value) -> Bool) -> Observer {
        let changes = ChangeFilter(self, isSame)
        return Observer(cancellation) { changes.pass($0) }
    }

    /// An observer of a whole that notifies this one of the part that `select` returns.
    @inlinable
    package func on<Whole>(_ select: @escaping (Whole) -> Value) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in withUnsafePointer(to: select(whole.pointee), accept) }
    }
}

/// Passes on a value that differs from the one before.
@usableFromInline
final class ChangeFilter<Value> {
    @usableFromInline let cancellation: Cancellation
    @usableFromInline let accept: (UnsafePointer<Value>) -> Void
    @usableFromInline let isSame: (Value, Value) -> Bool
    // Exclusivity: only the draining thread uses this.
    @exclusivity(unchecked)
    @usableFromInline var last: Value?

    @inlinable
    init(_ observer: Observer<Value>, _ isSame: @escaping (Value, Value) -> Bool) {
        cancellation = observer.cancellation
        accept = observer.accept
        self.isSame = isSame
    }

    @inlinable
    func pass(_ value: UnsafePointer<Value>) {
        // A selector, `isSame` or another thread may have cancelled the observer.
        if cancellation.isCancelled { return }
        if let last, isSame(last, value.pointee) || cancellation.isCancelled { return }
        last = value.pointee
        accept(value)
    }
}

// MARK: - Notifying

extension RuntimeCore {
    /// The observers at this time, or `nil` if there are none. Only the draining thread may ask.
    @inlinable
    package var currentObservers: CancellableList<Observer<State>>? { observers.isEmpty ? nil : observers }

    /// Calls `body`, and attributes the messages that it sends to `sender`. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func attribute<Result>(to sender: AnyObject, _ body: () -> Result) -> Result {
        let before = self.sender
        self.sender = ObjectIdentifier(sender)
        defer { self.sender = before }
        return body()
    }

    /// Notifies `notified`, the observers at an earlier time. Observers that registered since are not notified.
    @inlinable
    package func publish(to notified: CancellableList<Observer<State>>) {
        let released = notify(notified, of: state) ? observers.removeCancelled() : []
        withExtendedLifetime(released) {}
    }

    package func notifyFailureObservers(of failure: Failure) {
        let notified = failureObservers
        let areSomeCancelled = withUnsafePointer(to: failure) { notify(notified, of: $0) }
        let released = areSomeCancelled ? failureObservers.removeCancelled() : []
        withExtendedLifetime(released) {}
    }

    /// Adds an observer and notifies it of the state. Only the draining thread may call this.
    package func add(_ observer: Observer<State>) {
        // Cancelled while it was enqueued.
        if observer.isCancelled { return }
        observers.append(observer)
        attribute(to: observer) { observer.accept(state) }
    }

    /// Cancels and removes the observers of the state, and removes those of failures: a failure that is on its way to
    /// another actor still arrives. Only the draining thread may call this.
    package func removeObservers() {
        let (observers, failureObservers) = (observers, failureObservers)
        self.observers = CancellableList()
        self.failureObservers = CancellableList()
        for case let observer? in observers.entries { observer.cancellation.cancel() }
        withExtendedLifetime(failureObservers) {}
    }

    /// Calls each observer, in order. Returns whether one of them is cancelled.
    ///
    /// The list is a copy: an observer may register others, or cancel some, while it is called.
    @inlinable
    func notify<Value>(_ notified: CancellableList<Observer<Value>>, of value: UnsafePointer<Value>) -> Bool {
        var areSomeCancelled = false
        let before = sender
        // The list retains its observers; a retain and a release for each call would cost as much as the call.
        notified.entries.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                guard let entry = observers[index] else { continue }
                Unmanaged.passUnretained(entry)._withUnsafeGuaranteedRef { observer in
                    if !observer.isCancelled {
                        sender = ObjectIdentifier(observer)
                        observer.accept(value)
                    }
                    // Its own call, or a released owner, may have cancelled it.
                    if observer.isCancelled { areSomeCancelled = true }
                }
            }
        }
        sender = before
        return areSomeCancelled
    }
}
