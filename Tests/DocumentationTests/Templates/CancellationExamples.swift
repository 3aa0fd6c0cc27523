// The code of the article on cancellation.

import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct Files: Sendable {
    let log = Log()
    let clock: VirtualClock

    func open(_ name: String) async throws { log.append("opened \(name)") }
    func close(_ name: String) async { log.append("closed \(name)") }
    func read(_ name: String) async throws -> String {
        try await clock.sleep(for: .seconds(5))
        return "text of \(name)"
    }
}

@Suite("The article on cancellation", .timeLimit(.minutes(10)))
struct CancellationExampleTests {
    @Test func aCancelledInputReleasesItsFileAndChangesNothing() throws {
        let scheduler = VirtualScheduler()
        let files = Files(clock: scheduler.clock)

        //@block FunctionalCore/Cancellation var reading

        let component = Component(
            initialState: "", environment: files, executor: scheduler.executor, dispatcher: reading)
        let errors = Log()
        component.onError { error, _ in errors.append("\(error)") }
        try scheduler.run {
            let work = component.send("notes")
            try await scheduler.clock.sleep(for: .seconds(1))

            //@block FunctionalCore/Cancellation work.cancel()

            #expect(work.isCancelled)
        }
        #expect(files.log.lines == ["opened notes", "closed notes"])
        #expect(component.state == "")
        #expect(errors.lines.isEmpty)
    }

    @Test func theWorkOfAnInputSeesTheValuesOfItsSender() {
        let scheduler = VirtualScheduler()
        let executor = scheduler.executor

        //@block FunctionalCore/Cancellation enum Request {

        scheduler.drain()
        #expect(orders.state == "tea for r-7")
    }
}
