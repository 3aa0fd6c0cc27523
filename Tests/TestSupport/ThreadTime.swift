import Foundation

/// How long the calling thread had a core to do `body`: on a busy machine far less than what goes by.
public func threadTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
