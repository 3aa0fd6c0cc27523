/// The texts of failures that concern the state.
extension DriverText {
    static func differentState(_ subject: String, _ lines: [String], hasClosure: Bool) -> String {
        failure(
            "The state after \(subject) differs", lines,
            hasClosure
                ? "correct the closure, or the code that changes the state"
                : "state the change in a closure, or relax .state")
    }

    static func closureChangesNothing(_ subject: String) -> String {
        """
        The closure for \(subject) states no change, and the state has not changed. To fix, remove the closure.
        """
    }

    /// Returns the text of the failure for a closure that changes the actual state although `.state` is relaxed.
    ///
    /// - Parameter hasMore: Whether the state has changed since.
    static func closureChangesMore(_ subject: String, _ lines: [String], hasMore: Bool) -> String {
        failure(
            """
            The state after \(subject) differs: because .state is relaxed, the closure was applied to the actual state \
            after \(subject), and has changed it
            """,
            lines + (hasMore ? ["  The state has changed since, and the state of the driver is a later one."] : []),
            "assign the values that the state has then, or state the whole change")
    }

    static func skippedChange(_ subject: String) -> String {
        "Skipped, because .state is relaxed. The state after \(subject) was not stated in full."
    }

    static func undone(_ subject: String, _ lines: [String]) -> DriverFinding {
        .init(
            axis: .state, problem: "\(subject) has changed the state and changed it back, which was not stated",
            remedy: "make both changes in a closure", lines: lines)
    }
}

extension DriverText {
    /// Returns the text of a failure: the problem, the lines that show it, and the remedy.
    static func failure(_ problem: String, _ lines: [String], _ remedy: String) -> String {
        report(problem, lines) + "\nTo fix, \(remedy)."
    }
}
