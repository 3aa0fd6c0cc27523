/// Some work, and the baseline of its ratio. The bar follows from the ratio that is recorded; see ``Records``.
struct Line {
    enum Kind {
        /// The ratio of two times.
        case time(work: Quantity, baseline: Quantity)
        /// The ratio of two peaks of memory, or the peak in megabytes if there is no baseline.
        case memory(of: String, baseline: String?)
        /// The bytes of one of many things: the difference of two peaks.
        case bytes(of: String, over: String, count: Int)
    }

    let detail: String
    let kind: Kind
    /// A ratio that the line should have and does not have yet.
    private(set) var goal: Goal?
    /// Whether the line has a bar.
    private(set) var isBarred = true

    struct Goal {
        let ratio: Double
        /// Why it is not reached.
        let reason: String
    }

    static func time(_ detail: String, _ work: Subject, _ baseline: Subject) -> Line {
        .time(detail, Quantity(work), Quantity(baseline))
    }

    static func time(_ detail: String, _ work: Quantity, _ baseline: Quantity) -> Line {
        Line(detail: detail, kind: .time(work: work, baseline: baseline))
    }

    static func memory(_ detail: String, of program: String, over baseline: String? = nil) -> Line {
        Line(detail: detail, kind: .memory(of: program, baseline: baseline))
    }

    static func bytes(_ detail: String, of program: String, over: String, count: Int) -> Line {
        Line(detail: detail, kind: .bytes(of: program, over: over, count: count))
    }

    /// The same line, with a goal that it does not reach yet.
    func pending(goal ratio: Double, _ reason: String) -> Line {
        var line = self
        line.goal = Goal(ratio: ratio, reason: reason)
        return line
    }

    /// The same line without a bar, because its times depend on what else the cores do.
    var withoutBar: Line {
        var line = self
        line.isBarred = false
        return line
    }

    /// Whether work and baseline did what they should.
    var isRight: Bool { subjects.allSatisfy(\.isRight) }

    var subjects: [Subject] {
        guard case .time(let work, let baseline) = kind else { return [] }
        return work.subjects + baseline.subjects
    }
}
