import TestSupport
import VirtualTime

/// A clock that stands still and calls when a load reads it because the first piece of an answer has arrived: the load
/// can be stopped there.
struct WatchedClock: Clock {
    typealias Instant = VirtualClock.Instant

    let firstPieceArrives: @Sendable () -> Void
    private let readings = Guarded(0)

    init(firstPieceArrives: @escaping @Sendable () -> Void) {
        self.firstPieceArrives = firstPieceArrives
    }

    /// Read twice when the load begins, when the head of the answer has arrived, and for each piece.
    var now: Instant {
        let count = readings.withLock { count in
            count += 1
            return count
        }
        if count == 4 { firstPieceArrives() }
        return .zero
    }

    var minimumResolution: Duration { .zero }

    /// Time stands still: it ends when it is cancelled.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }
}
