import ArchitectureTracing
import FunctionalCore
import VirtualTime

struct Screen: Sendable {
    var title = "Feed"
    var isLoading = false
}

enum Input: Sendable {
    case load(Int)
    case note(String)
}

struct Unreachable: Error {}

/// Returns the events that `body` records in virtual time.
func recorded(_ body: (Tracer, VirtualClock) -> Void) -> [TraceEvent] {
    let (events, clock) = (TraceBuffer(), VirtualClock())
    body(Tracer(Trace(to: events, clock: clock), owner: Screen.self), clock)
    return events.all
}

extension TraceEvent.Kind {
    /// An event of each kind.
    static let all: [TraceEvent.Kind] = {
        let load = TraceValue(Input.load(5))
        return [
            .created(state: TraceValue(Screen())), .created(state: nil), .received(load, from: .caller),
            .handled(message: 3),
            .changed(from: TraceValue(Screen()), to: TraceValue(Screen(isLoading: true)), observers: 2),
            .changed(from: nil, to: nil, observers: 0), .started(load, .action), .suspended(work: 7), .ended(work: 7),
            .started(load, .action), .cancelled(work: 10), .started(load, .action),
            .failed(work: 12, error: TraceValue(Unreachable())),
            .failed(work: nil, error: TraceValue(Unreachable())),
            .recovered(from: TraceValue(Unreachable()), as: .value(load)), .decided(.delayed, load),
            .dropped(load, because: .cancelled),
            .endlessChain([load, load]), .closed,
        ]
    }()
}
