import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Programs on a clock that is set back.
@Suite("Programs on a clock that is set back", .timeLimit(.minutes(10)))
struct ProgramClockSetBackTests {
    private let scheduler = VirtualScheduler()

    @Test("timed returns no negative time if the clock is set back")
    func timed() {
        let clock = SettableClock(scheduler.clock)
        let program = EnvIO<Void, Never, Int> { _ in
            clock.setBack(by: .seconds(5))
            return 1
        }
        let (duration, value) = program.timed(clock: clock).runSync()
        #expect(value == 1)
        #expect(duration == .zero)
    }

    @Test("upTo ends repetitions after its limit if the clock is set back")
    func upTo() throws {
        let (clock, scheduler) = (SettableClock(scheduler.clock), scheduler)
        let count = Guarded(0)
        let program = EnvIO<Void, any Error, Void> { _ in
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            if number == 3 { clock.setBack(by: .seconds(3_600)) }
        }
        try scheduler.run {
            try await program.repeat(.spaced(.seconds(1)).upTo(.seconds(10)), clock: clock).run()
        }
        #expect((10...13).contains(count.value))
    }

    @Test("A clock that threads read at once has not gone back")
    func threads() async {
        let clock = AnyClock(StandingClock())
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1_000 { _ = clock.elapsed() } } }
        }
        #expect(clock.elapsed() <= .nanoseconds(4_002))
    }
}

/// A clock whose time grows by a nanosecond for each reading.
private struct StandingClock: Clock {
    private let reading = Guarded(VirtualClock.Instant(offset: .zero))

    var minimumResolution: Duration { .zero }
    var now: VirtualClock.Instant {
        reading.withLock { reading in
            reading = reading.advanced(by: .nanoseconds(1))
            return reading
        }
    }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {}
}
