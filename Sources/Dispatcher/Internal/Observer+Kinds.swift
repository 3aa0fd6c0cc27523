public import ArchitectureEngine
import FunctionalCore

extension Observer {
    /// One whose `body` belongs to `isolation`. Those of the main actor share `mailbox`, so that they are called in the order
    /// they registered there, too; another actor's has one of its own.
    @inlinable
    convenience init(isolation: (any Actor)?, by mailbox: Mailbox, _ body: @escaping (State) -> Void) {
        guard let isolation else {
            self.init { body($0.pointee) }
            return
        }
        let mailbox = isolation === MainActor.shared ? mailbox : Mailbox(of: isolation)
        let cancellation = Cancellation()
        self.init(cancellation) { state in
            if mailbox.isOpenHere { return body(state.pointee) }
            let state = state.pointee
            mailbox.post { if !cancellation.isCancelled { body(state) } }
        }
    }

    /// The same for a whole of which this one sees a part.
    @inlinable
    func on<Whole>(_ part: PartReader<Whole, State>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.read(whole, accept) }
    }

    /// The same for as long as `owner` lives.
    @inlinable
    func living(with owner: some AnyObject) -> Observer {
        Observer(cancellation) { [weak owner, accept, cancellation] state in
            if owner == nil { cancellation.cancel() } else { accept(state) }
        }
    }
}

extension Observer where State: Equatable {
    /// The same for values that differ from the one before; that one is kept.
    @inlinable
    func onlyChanges() -> Observer {
        var last: State?
        return Observer(cancellation) { [accept] state in
            guard state.pointee != last else { return }
            last = state.pointee
            accept(state)
        }
    }
}

/// The closure as one that says nothing of its isolation: who calls it is in that isolation, or there is none.
///
/// Unsafe by name. A synchronous function of type `@isolated(any)` is represented and called as any other; the type makes
/// each call `await` the isolation, which `Observer` and `Mailbox` see to in the place of the compiler.
@inlinable
func unisolated<Value>(_ body: @escaping @Sendable @isolated(any) (Value) -> Void) -> (Value) -> Void {
    // One representation, see above.
    unsafeBitCast(body, to: ((Value) -> Void).self)
}

/// The same for an error and what caused it.
@inlinable
func unisolated<Cause>(
    _ body: @escaping @Sendable @isolated(any) (any Error, Cause) -> Void
) -> (any Error, Cause) -> Void {
    // One representation, see above.
    unsafeBitCast(body, to: ((any Error, Cause) -> Void).self)
}

/// The states that `attach` brings, kept until they are taken.
func stateStream<S: Sendable>(_ attach: (Observer<S>) -> Registration) -> AsyncStream<S> {
    AsyncStream { continuation in
        let registration = attach(Observer(Cancellation { continuation.finish() }) { continuation.yield($0.pointee) })
        continuation.onTermination = { _ in registration.cancel() }
    }
}
