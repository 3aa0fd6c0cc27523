// The code of README.md about programs.

import FunctionalCore
import Testing

@Suite("README: programs")
struct ReadmeProgramTests {
    @Test func programs() async throws {
        let degrees = ["Oslo", "Bergen", "Tromsø"]
            .parTraverse(limit: 2) { city in
                EnvIO<Weather, any Error, Int> { weather in try await weather.degrees(city) }
                    .timeout(.seconds(2))
                    .retry(.exponential(base: .milliseconds(100)).jittered() && .recurs(3))
            }
            .timeout(.seconds(10))

        #expect(try await degrees.run(Weather { city in city.count }) == [4, 6, 6])
    }
}
