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

    @Test("A clock has not gone back if another thread reads it later and is first to pass its time on")
    func overtakenReading() {
        let clock = CountingClock()
        let time = AnyClock(clock)
        clock.afterReading.value = { [clock] in
            clock.afterReading.value = {}
            _ = time.elapsed()
        }
        #expect(time.elapsed() == .seconds(1))
        #expect(time.elapsed() == .seconds(3))
        clock.afterReading.value = {}
    }
}

/// A clock whose time grows by a second for each reading.
private struct CountingClock: Clock {
    private let readings = Guarded(0)
    let afterReading = Guarded<@Sendable () -> Void>({})

    var minimumResolution: Duration { .zero }
    var now: VirtualClock.Instant {
        let number = readings.increment()
        afterReading.value()
        return VirtualClock.Instant(offset: .seconds(number))
    }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {}
}
