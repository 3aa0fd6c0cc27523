// The code of the documentation comments of TestDriver and TestAxes. The first example is that of the page.

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

private let stopwatch = StateDispatcher<VirtualClock, Stopwatch, StopwatchInput>.pure { input in
    switch input {
    case .start: .update { $0.isRunning = true }
    case .tick: .update { $0.seconds += 1 }
    }
}

extension TestingWithDriversTests {
    @Test func aStopwatchCountsSeconds() {
        let time = VirtualScheduler()
        let ticks = Subscription<VirtualClock, StopwatchInput>.every(.seconds(1), id: "ticks", clock: time.clock) {
            .tick
        }
        let test = TestDriver(state: Stopwatch(), time: time) { setup in
            Component(
                initialState: Stopwatch(), environment: time.clock, executor: setup.executor, trace: setup.trace,
                dispatcher: stopwatch, subscriptions: { $0.isRunning ? [ticks] : [] })
        }
        test.send(.start) { $0.isRunning = true }
        test.advance(by: .seconds(2))
        test.receive(.tick) { $0.seconds = 1 }
        test.receive(.tick) { $0.seconds = 2 }
        test.finish()
    }

    @Test func aRelaxedAxisIsNotStated() {
        let api = API(load: { "post \($0)" }, delete: { _ in })
        let test = TestDriver(screen, state: Screen(), environment: api, relaxing: .work)
        test.send(.delete(1))
        test.finish()
    }

    @Test(arguments: ["TestDriver", "TestAxes"])
    func everyCodeBlockIsCompiled(_ file: String) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let root = tests.appending(path: "../..")
        let source = try String(
            contentsOf: root.appending(path: "Sources/ArchitectureTesting/Drivers/\(file).swift"), encoding: .utf8)
        let examples = try ["TestDriverExamples", "TestingWithDriversExamples"]
            .map { try String(contentsOf: tests.appending(path: "\($0).swift"), encoding: .utf8) }.joined()
        func normalized(_ code: some StringProtocol) -> String {
            code.split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "/"))) }
                .filter { !$0.isEmpty }.joined(separator: "\n")
        }
        let blocks = source.matches(of: #/(?s)``` ?swift\n(.*?)\n\s*/// ```/#).map(\.output.1)
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(normalized(examples).contains(normalized(block)), "\(block)")
        }
    }
}
