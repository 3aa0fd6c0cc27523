import Synchronization

/// How a group of tasks ends before all of them have: the first that says how decides, and what it throws then makes
/// the group cancel the others.
///
/// The group is one that discards results, so that the task which waits for it is woken once, when all have ended, and
/// not for each.
///
/// Unchecked: `outcome` is written by the task that decided, and read when all have ended.
@usableFromInline
final class Ending<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    let isDecided = Atomic(false)
    @usableFromInline
    var outcome: Outcome<Value, Failure>?

    @inlinable
    init() {}

    // Inlinable as that of `Both` is, so that it is specialised with the rest.
    @inlinable
    deinit {}

    /// Ends the group as `outcome` says, unless that is decided already, when this is thrown.
    @inlinable
    func with(_ outcome: Outcome<Value, Failure>) -> Decided {
        if !isDecided.exchange(true, ordering: .relaxed) { self.outcome = outcome }
        return Decided()
    }

    @usableFromInline
    struct Decided: Error {
        @inlinable
        init() {}
    }
}
