/// One bar, and the baseline of its ratio.
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
    /// The greatest ratio, megabytes or bytes allowed; `nil` if the line is for information.
    let bar: Double?
    /// Why the line does not reach its bar yet; `nil` if it must.
    private(set) var pending: Pending?

    struct Pending {
        let reason: String
        /// The ratio that was measured when the line was marked.
        let recorded: Double

        /// The greatest ratio that is still pending.
        var ceiling: Double { 1.5 * recorded }
    }

    static func time(_ detail: String, _ work: Subject, _ baseline: Subject, atMost bar: Double?) -> Line {
        .time(detail, Quantity(work), Quantity(baseline), atMost: bar)
    }

    static func time(_ detail: String, _ work: Quantity, _ baseline: Quantity, atMost bar: Double?) -> Line {
        Line(detail: detail, kind: .time(work: work, baseline: baseline), bar: bar)
    }

    static func memory(_ detail: String, of program: String, over baseline: String? = nil, atMost bar: Double) -> Line {
        Line(detail: detail, kind: .memory(of: program, baseline: baseline), bar: bar)
    }

    static func bytes(_ detail: String, of program: String, over: String, count: Int, atMost bar: Double?) -> Line {
        Line(detail: detail, kind: .bytes(of: program, over: over, count: count), bar: bar)
    }

    /// The same line, which may be over its bar for now: up to one and a half times the ratio `recorded`.
    func pending(recorded: Double, _ reason: String) -> Line {
        var line = self
        line.pending = Pending(reason: reason, recorded: recorded)
        return line
    }

    /// Whether work and baseline did what they should.
    var isRight: Bool { subjects.allSatisfy(\.isRight) }

    var subjects: [Subject] {
        guard case .time(let work, let baseline) = kind else { return [] }
        return work.subjects + baseline.subjects
    }
}
