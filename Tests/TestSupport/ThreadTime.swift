import Foundation

/// Returns the CPU time that the calling thread needs for `body`. On a busy machine, far more time elapses.
public func threadTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

/// Returns the exponent with which a cost grows: about 0 if it is constant, 1 if it is linear, and 2 if it is quadratic.
///
/// Compares the least costs, and measures until five rounds have found none that is 2 % lower, because a machine may be
/// slow for some time. The rounds alternate for the same reason. Choose numbers with a large ratio: of more things, the
/// caches of a machine hold a smaller part, so that each costs more.
public func growth(from few: Int, to many: Int, _ cost: (Int) -> Duration) -> Double {
    var (least, roundsWithoutLess) = ((few: cost(few), many: cost(many)), 0)
    while roundsWithoutLess < 5 {
        let round = (few: cost(few), many: cost(many))
        let isLess = round.few < least.few * 0.98 || round.many < least.many * 0.98
        roundsWithoutLess = isLess ? 0 : roundsWithoutLess + 1
        least = (min(least.few, round.few), min(least.many, round.many))
    }
    return log(least.many / least.few) / log(Double(many) / Double(few))
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
