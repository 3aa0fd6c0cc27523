// The code of the documentation comments of TestDriver.

import ArchitectureTesting
import Dispatcher
import Foundation
import FunctionalCore
import Testing
import VirtualTime

private struct API: Sendable {
    var load: @Sendable (Int) async throws -> String
    var delete: @Sendable (Int) async throws -> Void
}

private struct Screen: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
        case empty, loading
        case loaded(String)
    }
    var phase = Phase.empty
}

private enum ScreenInput: Equatable, Sendable {
    case open(Int)
    case delete(Int)
}

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

@Suite("The documentation comments of TestDriver", .timeLimit(.minutes(10)))
struct TestDriverExampleTests {
    // Other files of this module declare a screen, too.
    private let screen = StateDispatcher<API, Screen, ScreenInput>.workflow { input in
        switch input {
        case .open(let id):
            [
                .pure(.update { $0.phase = .loading }),
                EnvIO { api in
                    let text = try await api.load(id)
                    return .update { $0.phase = .loaded(text) }
                },
            ]
        case .delete(let id):
            [
                EnvIO { api in
                    try await api.delete(id)
                    return .update { $0.phase = .empty }
                }
            ]
        }
    }

    @Test func aScreenLoadsAPost() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let api = API(
            load: calls.stub("load") { id in
                try await time.clock.sleep(for: .seconds(1))
                return "post \(id)"
            },
            delete: calls.unstubbed("delete"))
        let test = TestDriver(screen, state: Screen(), environment: api, time: time, calls: calls)

        let sent = test.send(.open(5)) { $0.phase = .loading }
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.phase = .loaded("post 5") }
        test.finish()
    }

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
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let source = try String(
            contentsOf: root.appending(path: "Sources/ArchitectureTesting/Drivers/\(file).swift"), encoding: .utf8)
        let examples = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
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
