public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A part of a store's state, as `select` describes it: its value now, and each that differs from the one before.
///
/// ```swift
/// store.select(\.title).assign(to: \.text, on: titleLabel).store(in: &registrations)
/// ```
///
/// A selection retains the store. It may be made inline, where it is used, and need not be kept. The registrations that
/// ``observe(_:)`` and `assign(to:on:)` return may be dropped: the observer then lives as long as the store, or as the
/// target.
public final class Selection<Value: Sendable>: Sendable {
    @usableFromInline let mailbox: Mailbox
    @usableFromInline let watch: Watch
    // Tracking keeps these two: they do not retain the store.
    @usableFromInline let read: @Sendable () -> Value
    @usableFromInline let isSame: @Sendable (Value, Value) -> Bool
    @usableFromInline let attach: @Sendable (Observer<Value>) -> Registration

    @usableFromInline
    init(
        mailbox: Mailbox,
        watch: Watch,
        read: @escaping @Sendable () -> Value,
        isSame: @escaping @Sendable (Value, Value) -> Bool,
        attach: @escaping @Sendable (Observer<Value>) -> Registration
    ) {
        self.mailbox = mailbox
        self.watch = watch
        self.read = read
        self.isSame = isSame
        self.attach = attach
    }
}

extension Selection: Observable {
    /// The value as it is now. May be read from any thread, except from within a reducer, which traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read and notifies once, when the value differs from
    /// the one that was read. Actions that leave it the same do not notify. The selection may be made inline:
    ///
    /// ```swift
    /// Text(store.select(\.title).value)
    /// ```
    ///
    /// The notification comes after the change and on the main actor, where none is lost. On other threads use
    /// ``observe(_:)`` or ``values(buffering:)``.
    ///
    /// A selection of a ``Selector`` remembers the inputs and the value of the last read, and computes only if an input
    /// differs. Threads that read at the same time may each compute the value. Keep the selection to keep its memory.
    ///
    /// - Complexity: O(1), beside calling the selector. Each tracked read calls it once for each change, until it has
    ///   notified or is no longer tracked.
    public var value: Value {
        watch.read(part: read, by: isSame)
    }

    /// Calls `body` with the value as it is now, and then with each that differs from the one before.
    ///
    /// `body` runs in the isolation that it is formed in, in order; see ``Store/observe(_:)``.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Value) -> Void
    ) -> Registration {
        attach(Observer(isolation: body.isolation, by: mailbox, unisolated(body)))
    }

    /// Sets a property to the value as it is now, and then to each that differs from the one before, for as long as
    /// `target` lives. The registration does not retain the target.
    ///
    /// The property is set on the actor that calls this. Outside any actor the target has to be `Sendable`.
    ///
    /// ```swift
    /// store.select(\.title).assign(to: \.text, on: titleLabel)
    /// ```
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value>,
        on target: Target,
        isolation: isolated any Actor = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    /// Sets an optional property, such as a label's text, in the same way.
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value?>,
        on target: Target,
        isolation: isolated any Actor = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    /// Sets a property of a `Sendable` target in the same way. It may be called anywhere.
    ///
    /// Called on an actor, it sets the property there. Called elsewhere, it sets the property on the thread that
    /// dispatches.
    @discardableResult
    public func assign<Target: AnyObject & Sendable>(
        to path: any ReferenceWritableKeyPath<Target, Value> & Sendable,
        on target: Target,
        isolation: isolated (any Actor)? = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    /// Sets an optional property of a `Sendable` target in the same way. It may be called anywhere.
    @discardableResult
    public func assign<Target: AnyObject & Sendable>(
        to path: any ReferenceWritableKeyPath<Target, Value?> & Sendable,
        on target: Target,
        isolation: isolated (any Actor)? = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    private func assign<Target: AnyObject>(
        to target: Target,
        _ isolation: isolated (any Actor)?,
        _ set: @escaping (Target, Value) -> Void
    ) -> Registration {
        let cancellation = Cancellation()
        // The target is used in this isolation alone, which is where it came from.
        return attach(
            Observer(isolation: isolation, by: mailbox, until: cancellation) { [weak target] value in
                if let target { set(target, value) } else { cancellation.cancel() }
            }
        )
    }

    /// The value as it is now, and then each that differs from the one before. Ends with the store.
    ///
    /// - Parameter buffering: What becomes of values that come faster than they are taken.
    public func values(
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: buffering) { continuation in
            let registration = attach(
                Observer(Cancellation { continuation.finish() }) { continuation.yield($0.pointee) })
            continuation.onTermination = { _ in registration.cancel() }
        }
    }
}
