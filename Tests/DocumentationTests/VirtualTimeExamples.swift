// The code of the page on virtual time.

import TestSupport
import Testing
import VirtualTime

@Suite("The page on virtual time", .timeLimit(.minutes(10)))
struct VirtualTimeExampleTests {
    func greet(after delay: Duration, on clock: some Clock<Duration>) async throws -> String {
        try await clock.sleep(for: delay)
        return "Hello"
    }

    @Test func greetsAfterAnHour() throws {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let greeting = try scheduler.run { try await greet(after: .seconds(3_600), on: clock) }
        #expect(greeting == "Hello")
        #expect(clock.now.offset == .seconds(3_600))
    }

    @Test func anOrderChoosesTheNextJob() {
        let scheduler = VirtualScheduler(order: StepOrder([1]))
        let log = Log()
        for name in ["a", "b", "c"] { scheduler.start { log.append(name) } }
        scheduler.drain()
        #expect(log.lines == ["b", "a", "c"])
    }
}
