import Foundation

/// How long the calling thread had a core to do `body`: on a busy machine far less than what goes by.
public func threadTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

/// How many times as much as `few` things `many` of them cost: the least of three rounds each, in turns, since a machine may
/// slow down in between.
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
