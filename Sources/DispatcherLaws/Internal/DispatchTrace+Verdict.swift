import FunctionalLaws
import PropertyTesting

extension Verdict {
    /// Compares two traces, and throws a failure that lists the differences.
    ///
    /// - Parameter place: The question, if the counterexample does not show it.
    func sameTrace<S>(
        _ left: DispatchTrace<S>, _ right: DispatchTrace<S>, at place: String? = nil, by isSameState: (S, S) -> Bool
    ) throws(Unmet) {
        var found: [Difference] = []
        if left.actions != right.actions {
            found.append(Difference(path: "actions", left: "\(left.actions)", right: "\(right.actions)"))
        }
        found += states(left.states, right.states, isSameState)
        if left.failure != right.failure {
            found.append(
                Difference(path: "failure", left: left.failure ?? "none", right: right.failure ?? "none"))
        }
        found += lines(left.log, right.log)
        try none(found, at: place)
    }

    /// Compares the states after each action, and throws a failure that lists the differences.
    func sameStates<S>(_ left: [S], _ right: [S], by isSameState: (S, S) -> Bool) throws(Unmet) {
        try none(states(left, right, isSameState), at: nil)
    }

    /// The differences of the first two states that differ. Later differences are consequences of these.
    private func states<S>(_ left: [S], _ right: [S], _ isSameState: (S, S) -> Bool) -> [Difference] {
        for (index, (state, other)) in zip(left, right).enumerated() where !isSameState(state, other) {
            let name = "state after action \(index + 1)"
            let found = Difference.all(state, other)
            guard !found.isEmpty else {
                return [Difference(path: name, left: described(state), right: described(other))]
            }
            return found.map {
                Difference(path: $0.path.isEmpty ? name : "\(name), \($0.path)", left: $0.left, right: $0.right)
            }
        }
        guard left.count != right.count else { return [] }
        return [Difference(path: "actions that ran", left: "\(left.count)", right: "\(right.count)")]
    }

    /// The first lines that differ.
    private func lines(_ left: [String], _ right: [String]) -> [Difference] {
        guard left != right else { return [] }
        let same = zip(left, right).prefix { $0 == $1 }.count
        func line(_ lines: [String]) -> String { same < lines.count ? described(lines[same]) : "none" }
        return [Difference(path: "line \(same + 1) of the log", left: line(left), right: line(right))]
    }

    private func none(_ found: [Difference], at place: String?) throws(Unmet) {
        guard !found.isEmpty else { return }
        let texts = found.map { "\($0.path)\n      left:  \($0.left)\n      right: \($0.right)" }
        try that(false, ((place.map { [$0] } ?? []) + texts).joined(separator: "\n    "))
    }
}
