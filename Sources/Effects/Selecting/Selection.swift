public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A part of a store's state, as `select` describes it: its value now, and each that differs from the one before.
///
/// ```swift
/// store.select(\.title).assign(to: \.text, on: titleLabel).store(in: &registrations)
/// ```
///
/// It holds the store. What is returned by ``observe(_:)`` and `assign(to:on:)` may be dropped: it then lives as long
/// as the store, or as the target.
public final class Selection<Value: Sendable>: Sendable {
    @usableFromInline let read: @Sendable () -> Value
    @usableFromInline let mailbox: Mailbox
    @usableFromInline let attach: @Sendable (Observer<Value>) -> Registration
    private let watch = Watch()

    @usableFromInline
    init(
        mailbox: Mailbox,
        read: @escaping @Sendable () -> Value,
        attach: @escaping @Sendable (Observer<Value>) -> Registration
    ) {
        self.mailbox = mailbox
        self.read = read
        self.attach = attach
    }
}

extension Selection: Observable {
    /// The value as it is now. Any thread, but not from inside a reducer.
    ///
    /// Reading it is tracked by `withObservationTracking`, and so by SwiftUI: told when this part has changed.
    public var value: Value {
        if watch.isFirstRead {
            watch.listen(by: attach(Observer { [weak watch] _ in watch?.changed() }))
        }
        return watch.read { read() }
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
    /// `target` lives, which this does not prolong.
    ///
    /// It is set in the isolation that this is called in: on the main actor in a class of the main actor's.
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value>,
        on target: Target,
        isolation: isolated (any Actor)? = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    /// The same for a property that is optional, as a label's text is.
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value?>,
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
