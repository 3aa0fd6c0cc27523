// The code of README.md about programs.

import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("README: programs", .timeLimit(.minutes(10)))
struct ReadmeProgramTests {
    func degrees(of cities: [String], clock: some Clock<Duration>) -> EnvIO<Weather, any Error, [Int]> {
        cities.parTraverse(limit: 2) { city in
            EnvIO { weather in try await weather.degrees(city) }
                .timeout(.seconds(2), clock: clock)
                .retry(.exponential(base: .milliseconds(100)).jittered() && .recurs(3), clock: clock)
        }
        .timeout(.seconds(10), clock: clock)
    }

    @Test func programs() throws {
        let scheduler = VirtualScheduler()
        let asked = Record<String>()
        let weather = Weather { city in
            asked.append(city)
            // The first answer takes too long.
            if asked.values.count == 1 { try await scheduler.clock.sleep(for: .seconds(60)) }
            return city.count
        }
        let program = degrees(of: ["Oslo", "Bergen", "Tromsø"], clock: scheduler.clock)

        #expect(try scheduler.run { try await program.run(weather) } == [4, 6, 6])
        #expect(asked.values.count == 4)
    }
}
