import FunctionalCore
import VirtualTime

/// A barrier: each caller waits until a number of callers have arrived. Later callers do not wait.
final class Meeting: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>

    init(of count: Int) {
        state = Locked(State(missing: count))
    }

    func arrive() async {
        await withCheckedContinuation { continuation in
            let all = state.withLock { state in
                state.missing -= 1
                state.waiting.append(continuation)
                guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in all { continuation.resume() }
        }
    }
}
