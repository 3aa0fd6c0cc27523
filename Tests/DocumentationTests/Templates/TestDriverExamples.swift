// The code of the documentation comments of TestDriver and TestAxes.

import ArchitectureTesting
import Dispatcher
import Foundation
import FunctionalCore
import Testing
import VirtualTime

private struct Stopwatch: Equatable, Sendable {
    var isRunning = false
    var seconds = 0
}

private enum StopwatchInput: Equatable, Sendable { case start, tick }

private var stopwatch: StateDispatcher<VirtualClock, Stopwatch, StopwatchInput> {
    .pure { input in
        switch input {
        case .start: return .update { $0.isRunning = true }
        case .tick: return .update { $0.seconds += 1 }
        }
    }
}

extension TestingWithDriversTests {
    @Test func aTestStatesWhatHappens() {
        //@block ArchitectureTesting/TestDriver let time
    }

    @Test func aStopwatchCountsSeconds() {
        let time = VirtualScheduler()
        let ticks = Subscription<VirtualClock, StopwatchInput>.every(.seconds(1), id: "ticks", clock: time.clock) {
            .tick
        }
        //@block ArchitectureTesting/TestDriver let test
        test.send(.start) { $0.isRunning = true }
        test.advance(by: .seconds(2))
        test.receive(.tick) { $0.seconds = 1 }
        test.receive(.tick) { $0.seconds = 2 }
        test.finish()
    }

    @Test func aRelaxedAxisIsNotStated() {
        let api = API(load: { "post \($0)" }, delete: { _ in })
        //@block ArchitectureTesting/TestAxes let test
        test.send(.delete(1))
        test.finish()
    }
}
