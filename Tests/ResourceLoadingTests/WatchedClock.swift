import TestSupport
import VirtualTime

/// A clock that does not advance, and calls a closure when a load reads it for the first piece of an answer.
///
/// The closure can block the load there.
struct WatchedClock: Clock {
    typealias Instant = VirtualClock.Instant

    let firstPieceArrives: @Sendable () -> Void
    private let readings = Guarded(0)

    init(firstPieceArrives: @escaping @Sendable () -> Void) {
        self.firstPieceArrives = firstPieceArrives
    }

    /// A load reads the clock twice at its begin, once for the head of the answer, and once for each piece.
    var now: Instant {
        let count = readings.withLock { count in
            count += 1
            return count
        }
        if count == 4 { firstPieceArrives() }
        return .zero
    }

    var minimumResolution: Duration { .zero }

    /// Waits until the task is cancelled, because the clock does not advance.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }
}
