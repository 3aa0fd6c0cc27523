/// The result of a line beside its bar.
struct Finding {
    enum Verdict: String {
        case ok
        case over
        /// There is no record yet, so there is no bar.
        case unrecorded
        /// So much better than the record that it should be recorded.
        case better
        /// Within the bar, but not at its goal yet.
        case pending
        /// At its goal, although it is marked pending: the mark can be removed.
        case reached
        /// A subject has not done its work correctly, or could not be measured.
        case wrong = "WRONG"
        /// The line has no bar.
        case none = "-"
    }

    let line: Line
    let measured: Measured
    /// The greatest ratio, megabytes or bytes allowed.
    let bar: Double?
    let verdict: Verdict
    private let isRight: Bool

    var isFailure: Bool { verdict == .over || verdict == .wrong || verdict == .unrecorded }

    /// Whether the line may pass if it is measured again.
    var isDisturbed: Bool { isFailure && verdict != .unrecorded && isRight }

    init(_ measured: Measured, of line: Line, record: Double?) {
        self.line = line
        self.measured = measured
        // Once: a check may remove what it has checked.
        isRight = line.isRight
        bar = line.isBarred ? record.map { $0 * Records.tolerance } : nil
        verdict =
            if !measured.isMeasured || !isRight {
                .wrong
            } else if !line.isBarred {
                .none
            } else if let record, let bar {
                if measured.ratio > bar {
                    .over
                } else if let goal = line.goal {
                    measured.ratio > goal.ratio ? .pending : .reached
                } else {
                    measured.ratio * Records.tolerance < record ? .better : .ok
                }
            } else {
                .unrecorded
            }
    }
}
