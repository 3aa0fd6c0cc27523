import Dispatcher
import ExampleDispatchers
import Synchronization
import TerminalSupport

/// The dashboard on one line, with a star before each part that has changed since the previous line.
struct DashboardLine: CustomStringConvertible {
    let description: String

    init(_ dashboard: DashboardState, after previous: DashboardState?) {
        func star<Part: Equatable>(_ part: (DashboardState) -> Part?) -> String {
            previous.map { part($0) == part(dashboard) } ?? true ? "" : "*"
        }
        let dice = dashboard.dice.map { numbered in
            let mark = star { state in state.dice.first { $0.id == numbered.id } }
            return "\(mark)die \(numbered.id): \(numbered.die.number.map { "\($0)" } ?? "-")"
        }
        let stepper = "\(star(\.stepper))stepper: \(dashboard.stepper)"
        let screen = "\(star(\.screen))screen: \(dashboard.screen)"
        description = ([stepper] + dice + [screen]).joined(separator: " | ")
    }
}

extension DashboardState {
    /// Returns whether only the progress of a load has changed.
    fileprivate func hasProgressed(from previous: DashboardState) -> Bool {
        guard case .loading = previous.screen, case .loading = screen else { return false }
        var same = previous
        same.screen = screen
        return same == self
    }
}

/// Prints each state on the draining thread, so that its line is written before the next input is processed. On a
/// terminal, each update of a load's progress replaces the line of the previous one.
func printStates(of component: Component<DashboardState, DashboardInput>, on console: Console) {
    let previous = Mutex<DashboardState?>(nil)
    component.observe { state in
        let last = previous.withLock { $0 }
        let line = "\(DashboardLine(state, after: last))"
        if let last, state.hasProgressed(from: last) { console.update(line) } else { console.line(line) }
        previous.withLock { $0 = state }
    }
}
