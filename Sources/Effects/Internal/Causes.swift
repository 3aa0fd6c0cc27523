import Synchronization

/// What led to something that was begun.
@usableFromInline
struct CauseContext: Sendable {
    /// The chain that goes through tasks.
    @usableFromInline let chain: CauseChain
}

/// A chain of actions that goes through tasks, and how many there were in the current second.
///
/// Unchecked: touched while the store handles something.
@usableFromInline
final class CauseChain: @unchecked Sendable {
    private var secondBegan: Duration
    private var count = 0

    init(now: Duration) {
        secondBegan = now
    }

    /// Whether the next actions may be too many.
    func isNear(_ limit: Int) -> Bool {
        count + Causes.count >= limit
    }

    /// Counts an action; says whether there are more than `limit` in this second.
    func countsBeyond(_ limit: Int, now: () -> Duration) -> Bool {
        count += 1
        // The clock is asked seldom: what is slow on it never comes near the limit.
        guard count % 256 == 0 || count >= limit else { return false }
        let now = now()
        if now - secondBegan >= .seconds(1) {
            secondBegan = now
            count = 1
            return false
        }
        return count >= limit
    }
}

/// The types of the last actions of a chain that may be a runaway.
struct Causes {
    private(set) var names: [String] = []

    static var count: Int { 16 }

    mutating func append(_ action: any Action) {
        if names.count == Self.count { names.removeFirst() }
        names.append("\(type(of: action))")
    }

    mutating func removeAll() {
        names = []
    }
}
