import Foundation

/// Returns the CPU time that the calling thread needs for `body`. On a busy machine, far more time elapses.
public func threadTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

/// Returns the ratio of the cost of `many` things to the cost of `few`.
///
/// Compares the minima of three rounds. The rounds alternate, because a machine may slow down in between.
public func growth(from few: Int, to many: Int, _ cost: (Int) -> Duration) -> Double {
    _ = cost(few)
    let rounds = (0..<3).map { _ in (few: cost(few), many: cost(many)) }
    return rounds.map(\.many).min()! / rounds.map(\.few).min()!
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
