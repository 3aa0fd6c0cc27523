import ArchitectureTesting
import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct API: Sendable {
    var load: @Sendable (Int) async throws -> String
}

private struct Screen: Equatable, Sendable {
    enum Phase: Equatable, Sendable { case empty, loading, loaded(String) }
    var phase = Phase.empty
}

private enum Input: Equatable, Sendable { case open(Int), close }

private let screen = StateDispatcher<API, Screen, Input>.workflow { input in
    switch input {
    case .open(let id):
        [
            .pure(.update { $0.phase = .loading }),
            EnvIO { api in
                let text = try await api.load(id)
                return .update { $0.phase = .loaded(text) }
            },
        ]
    case .close: [.pure(.update { $0.phase = .empty })]
    }
}

@Suite(.timeLimit(.minutes(10))) struct TestDriverTests {
    private let time = VirtualScheduler()

    private func driver() -> TestDriver<Screen, Input> {
        let api = API { [time] id in
            try await time.clock.sleep(for: .seconds(1))
            return "post \(id)"
        }
        return TestDriver(screen, state: Screen(), environment: api, time: time)
    }

    @Test func `a test that states everything records no issue`() {
        let test = driver()
        let sent = test.send(.open(5)) { $0.phase = .loading }
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.phase = .loaded("post 5") }
        test.expectWork(sent)
        test.finish()
    }

}
