// The code of the article about programs.

import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("A program with limits and retries", .timeLimit(.minutes(10)))
struct LimitedProgramTests {
    //@block FunctionalCore/RetryingAndResources func degrees(of

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
