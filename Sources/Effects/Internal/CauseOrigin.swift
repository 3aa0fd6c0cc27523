/// How often, in the present second, what comes of one beginning has come back to who had acted before.
///
/// Unchecked: touched while the store handles something.
final class CauseOrigin: @unchecked Sendable {
    // The first to act counts as well.
    private(set) var count = 1
    private var secondBegan: Duration
    private var told: [ObjectIdentifier] = []

    init(began: Duration) {
        secondBegan = began
    }

    func add(at now: Duration) {
        if now - secondBegan >= .seconds(1) { (secondBegan, count, told) = (now, 0, []) }
        count += 1
    }

    /// Whether nobody was told yet, in this second, that `doer` was stopped.
    func isToTell(of doer: ObjectIdentifier) -> Bool {
        if told.contains(doer) { return false }
        told.append(doer)
        return true
    }
}
