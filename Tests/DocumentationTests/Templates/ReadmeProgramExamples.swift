// The code of README.md about programs.

import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("README: programs", .timeLimit(.minutes(10)))
struct ReadmeProgramTests {
    //@block README func degrees(of

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
