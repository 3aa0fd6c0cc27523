import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// What the tests of `TestDriver` drive: a dispatcher with an input for each thing that a driver can report.
struct Desk: Equatable, Sendable {
    var title = "empty"
    var count = 0
}

enum DeskInput: Equatable, Sendable, AutoPrism {
    /// Changes nothing.
    case touch
    case name(String)
    case count
    /// Two changes that do not wait.
    case twice
    case load(Int)
    /// Loads to the end, also if it is cancelled.
    case careful(Int)
    /// Two changes, one second and two seconds later.
    case slowly
    case fail
    case failLater
    /// A second after the last one.
    case search(String)
    /// The newest one wins.
    case newest(Int)
    /// One after the other.
    case queue(Int)
    case delete(Int)
    /// Waits for the main actor.
    case main(DeskLater)
    /// Waits for something outside of virtual time.
    case wait
    case spin
    case later(DeskLater)
    case stream
}

/// Ends when the test says so.
final class DeskLater: Equatable, Sendable {
    let gate = AsyncStream.makeStream(of: Void.self)

    static func == (left: DeskLater, right: DeskLater) -> Bool { left === right }
}

struct DeskAPI: Sendable {
    let clock: VirtualClock
    let load: @Sendable (Int) async throws -> String
    let delete: @Sendable (Int) throws -> Void
}

struct Offline: Error, Equatable {}

typealias DeskDispatcher = StateDispatcher<DeskAPI, Desk, DeskInput>

private let actions = DeskDispatcher.workflow { input in
    let later: DeskDispatcher.Action = EnvIO { api in
        try await api.clock.sleep(for: .seconds(1))
        return .update { $0.count += 1 }
    }
    return switch input {
    case .touch, .search, .newest, .queue, .stream: []
    case .main(let later):
        [
            EnvIO { _ in
                await MainActor.run { _ = later.gate.continuation.yield() }
                return .update { $0.title = "main" }
            }
        ]
    case .name(let name): [.pure(.update { $0.title = name })]
    case .count: [.pure(.update { $0.count += 1 })]
    case .twice: [.pure(.update { $0.count += 1 }), .pure(.update { $0.title = "twice" })]
    case .load(let id):
        [
            .pure(.update { $0.title = "loading" }),
            EnvIO { api in
                let title = try await api.load(id)
                return .update { $0.title = title }
            },
        ]
    case .careful(let id):
        [
            EnvIO { api in
                let title = try await api.load(id)
                return .update { $0.title = title }
            }.uncancellable()
        ]
    case .slowly: [later, later]
    case .fail: [.raiseError(Offline())]
    case .failLater:
        [
            EnvIO { api in
                try await api.clock.sleep(for: .seconds(1))
                throw Offline()
            }
        ]
    case .delete(let id):
        [
            EnvIO { api in
                try api.delete(id)
                return .update { $0.title = "deleted" }
            }
        ]
    case .wait:
        [
            EnvIO { _ in
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                withExtendedLifetime(continuation) {}
                return .update { _ in }
            }
        ]
    case .spin:
        [
            EnvIO { _ in
                while !Task.isCancelled { await Task.yield() }
                return .update { _ in }
            }
        ]
    case .later(let later):
        [
            EnvIO { _ in
                for await _ in later.gate.stream { break }
                return .update { $0.title = "later" }
            }
        ]
    }
}

private func searching(_ clock: VirtualClock) -> DeskDispatcher {
    DeskDispatcher.workflow { input in
        if case .search(let text) = input { [.pure(.update { $0.title = text })] } else { [] }
    }
    .policy(.debounce(for: .seconds(1), clock: clock))
}

private let newest = DeskDispatcher.workflow { input in
    guard case .newest(let id) = input else { return [] }
    return [
        EnvIO { api in
            let title = try await api.load(id)
            return .update { $0.title = title }
        }
    ]
}
.policy(.latest)

private let queued = DeskDispatcher.workflow { input in
    guard case .queue(let id) = input else { return [] }
    return [
        EnvIO { api in
            let title = try await api.load(id)
            return .update { $0.title = title }
        }
    ]
}
.policy(.queued)

private let streaming = DeskDispatcher.stream { input, api in
    AsyncStream<State<Desk, Void>> { continuation in
        if input != .stream { return continuation.finish() }
        for _ in 0..<3 { continuation.yield(.update { $0.count += 1 }) }
        continuation.finish()
    }
}

func desk(_ clock: VirtualClock) -> DeskDispatcher {
    actions.combine(searching(clock)).combine(newest).combine(queued).combine(
        streaming.widen(
            transformInput: Prism<DeskInput, DeskInput>(embed: { $0 }, extract: { $0 == .stream ? $0 : nil })))
}

/// A driver for the desk, whose calls the test has to state.
struct DeskTest {
    let time = VirtualScheduler()
    let calls = Recorder()

    var api: DeskAPI {
        DeskAPI(
            clock: time.clock,
            load: calls.stub("load") { [time] id in
                try await time.clock.sleep(for: .seconds(1))
                return "post \(id)"
            },
            delete: calls.unstubbed("delete"))
    }

    func driver(
        relaxing axes: TestAxes = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> TestDriver<Desk, DeskInput> {
        TestDriver(
            desk(time.clock), state: Desk(), environment: api, time: time, calls: calls, relaxing: axes,
            sourceLocation: sourceLocation)
    }

    /// A driver for a desk whose subscription counts each second, as long as the title is "counting".
    func counting(relaxing axes: TestAxes = []) -> TestDriver<Desk, DeskInput> {
        TestDriver(state: Desk(), time: time, calls: calls, relaxing: axes) { setup in
            Component(
                initialState: Desk(), environment: api, executor: setup.executor, trace: setup.trace,
                dispatcher: desk(time.clock),
                subscriptions: { [clock = time.clock] desk in
                    desk.title == "counting" ? [.every(.seconds(1), id: "counter", clock: clock) { .count }] : []
                })
        }
    }
}
