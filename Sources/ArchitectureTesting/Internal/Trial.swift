import FunctionalCore
import Loop
import VirtualTime

/// What a handler that is tried out has done so far.
final class Trial<Event: Sendable>: Sendable {
    private let isOfHandler: Bool
    private let state = Locked(State())

    private struct State: Sendable {
        var events: [Event] = []
        var seenCount = 0
        var watches: [Watch] = []
    }

    /// One effect. Only its handler retains the callback, because releasing the callback ends it.
    private struct Watch: Sendable {
        weak var callback: EffectCallback<Event>?
        var isDisposed = false

        var handling: Handling {
            if isDisposed { return .disposed }
            return callback?.ended == false ? .underWay : .ended
        }
    }

    init(isOfHandler: Bool) {
        self.isOfHandler = isOfHandler
    }

    func append(_ event: Event) {
        state.withLock { $0.events.append(event) }
    }

    /// Notes that an effect is being handled; returns its number.
    func begin(_ callback: EffectCallback<Event>) -> Int {
        state.withLock { state in
            state.watches.append(Watch(callback: callback))
            return state.watches.count - 1
        }
    }

    func noteDisposal(of index: Int) {
        state.withLock { $0.watches[index].isDisposed = true }
    }

    var events: [Event] {
        state.withLock { $0.events }
    }

    /// The events that were sent since the last time.
    func takeNewEvents() -> [Event] {
        state.withLock { state in
            defer { state.seenCount = state.events.count }
            return Array(state.events[state.seenCount...])
        }
    }

    var handlings: [Handling]? {
        // Outside of the lock: reading a callback can release its last reference, which ends it.
        isOfHandler ? state.withLock { $0.watches }.map(\.handling) : nil
    }
}
