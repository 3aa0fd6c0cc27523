import FunctionalCore
import Loop
import VirtualTime

/// A record of what the handler of a `HandlerSpec` has done so far.
final class Trial<Event: Sendable>: Sendable {
    private let isOfHandler: Bool
    private let state = Locked(State())

    private struct State: Sendable {
        var events: [Event] = []
        var seenCount = 0
        var watches: [Watch] = []
    }

    /// The progress of one effect. It does not retain the callback: a callback that its handler drops ends when it is
    /// deallocated, and if it were retained here, it would seem to be under way.
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

    /// Records that the handler has begun to handle an effect. Returns the number of the effect.
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

    /// Returns the events that were sent since the previous call.
    func takeNewEvents() -> [Event] {
        state.withLock { state in
            defer { state.seenCount = state.events.count }
            return Array(state.events[state.seenCount...])
        }
    }

    var handlings: [Handling]? {
        // The callbacks are read outside of the lock: this can release the last reference to a callback, which ends it.
        isOfHandler ? state.withLock { $0.watches }.map(\.handling) : nil
    }
}
