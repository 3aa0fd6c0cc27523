import FunctionalCore

/// What led to an action, as far as it tells a runaway: how many tasks lay in between, and the last causes where there may
/// soon have been too many.
///
/// It follows one line of causes: what a task emits one after another, or what several do at a time, has the same count. What
/// somebody dispatches has no causes, and what follows from it without a task has none either until it is near a limit; so
/// that nothing is allocated for it.
@usableFromInline
final class CauseContext: Sendable {
    /// How many tasks lay in between since `secondBegan`.
    let hops: Int
    /// The types of the last actions, the latest last.
    let types: [any Action.Type]
    /// Whether all of this follows from the report of a runaway.
    let followsReport: Bool
    private let secondBegan: Duration

    /// How many causes are named.
    static var named: Int { 16 }

    /// The beginning of a line of causes.
    convenience init(now: Duration, followsReport: Bool = false) {
        self.init(hops: 0, types: [], followsReport: followsReport, secondBegan: now)
    }

    private init(hops: Int, types: [any Action.Type], followsReport: Bool, secondBegan: Duration) {
        self.hops = hops
        self.types = types
        self.followsReport = followsReport
        self.secondBegan = secondBegan
    }

    /// The same after one more task.
    func afterTask(_ limits: StoreLimits) -> CauseContext {
        let hops = hops + 1
        // The clock is asked seldom: what is slow on it never comes beyond the limit.
        if hops % 256 == 0 || hops > limits.chainRate {
            let now = limits.stopwatch.elapsed()
            if now - secondBegan >= .seconds(1) {
                return CauseContext(hops: 1, types: [], followsReport: followsReport, secondBegan: now)
            }
        }
        return CauseContext(hops: hops, types: types, followsReport: followsReport, secondBegan: secondBegan)
    }

    /// The same after one more action, by name.
    func after(_ action: any Action) -> CauseContext {
        CauseContext(
            hops: hops, types: types.suffix(Self.named - 1) + [type(of: action)], followsReport: followsReport,
            secondBegan: secondBegan)
    }
}

/// How long a line of causes may become before it is stopped.
@usableFromInline
struct StoreLimits: Sendable {
    let maximumChain: Int
    let chainRate: Int
    let stopwatch: Stopwatch

    /// Whether causes are to be named: soon there may be too many.
    func areNear(_ depth: Int, _ hops: Int) -> Bool {
        depth > maximumChain - CauseContext.named || hops > chainRate - CauseContext.named
    }

    /// Whether there are too many.
    func areExceeded(by depth: Int, _ hops: Int) -> Bool {
        depth > maximumChain || hops > chainRate
    }
}
