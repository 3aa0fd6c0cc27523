import ArchitectureEngine

/// One side of a connection that was made with a ``Connectable``: what takes values until it is disposed.
///
/// The closures are called in the isolation in which they were formed: those of a class of the main actor's on the main
/// actor, at once where the caller is there, and else as soon as may be, in order. Without isolation they are called by
/// whoever calls ``accept(_:)`` and ``dispose()``: a loop does so from one thread at a time, and disposes once.
///
/// A connection guards nothing by itself: what becomes of a value that it is given after it was disposed is up to its
/// closures. A loop gives it none.
///
/// Dropping a connection does not dispose it, unless its closures hold something that ends by that: a connection of an
/// ``EffectRouter`` or an ``EffectSwitch`` that nobody holds ends at once.
public struct Connection<Value: Sendable>: Disposable {
    @usableFromInline let acceptClosure: @Sendable (Value) -> Void
    private let disposeClosure: @Sendable () -> Void

    /// A connection of two closures.
    ///
    /// - Parameters:
    ///   - acceptClosure: Takes a value.
    ///   - disposeClosure: Releases what the connection holds.
    public init(
        @_inheritActorContext acceptClosure: @escaping @Sendable @isolated(any) (Value) -> Void,
        @_inheritActorContext disposeClosure: @escaping @Sendable @isolated(any) () -> Void
    ) {
        let (accept, dispose) = (unisolated(acceptClosure), unisolated(disposeClosure))
        guard let isolation = acceptClosure.isolation ?? disposeClosure.isolation else {
            (self.acceptClosure, self.disposeClosure) = (accept, dispose)
            return
        }
        let mailbox = Mailbox(of: isolation)
        let disposal = Cancellation()
        let acceptThere: @Sendable (Value) -> Void = { value in
            if mailbox.isOpenHere { return accept(value) }
            mailbox.post { if !disposal.isCancelled { accept(value) } }
        }
        let disposeThere: @Sendable () -> Void = {
            disposal.cancel()
            if mailbox.isOpenHere { dispose() } else { mailbox.post(dispose) }
        }
        self.acceptClosure = acceptClosure.isolation == nil ? accept : acceptThere
        self.disposeClosure = disposeClosure.isolation == nil ? dispose : disposeThere
    }

    /// Hands `value` over.
    @inlinable
    public func accept(_ value: Value) {
        acceptClosure(value)
    }

    /// Ends the connection.
    public func dispose() {
        disposeClosure()
    }
}
