// The code of the page on virtual time.

import TestSupport
import Testing
import VirtualTime

@Suite("The page on virtual time", .timeLimit(.minutes(10)))
struct VirtualTimeExampleTests {
    //@block VirtualTime/VirtualTime func greet(after

    @Test func anOrderChoosesTheNextJob() {
        let scheduler = VirtualScheduler(order: StepOrder([1]))
        let log = Log()
        for name in ["a", "b", "c"] { scheduler.start { log.append(name) } }
        scheduler.drain()
        #expect(log.lines == ["b", "a", "c"])
    }
}
