/// A row of the performance tables, with one line for each of its bars.
struct Row: Sendable {
    let section: String
    let name: String
    /// What Bow or Bow Arch needs for it, in nanoseconds, where that was measured.
    let original: String
    /// Makes what is measured, when it is.
    let lines: @Sendable () -> [Line]

    init(_ section: String, _ name: String, original: String = "", lines: @escaping @Sendable () -> [Line]) {
        self.section = section
        self.name = name
        self.original = original
        self.lines = lines
    }
}

/// One bar, and what it is held against.
struct Line {
    enum Kind {
        /// The ratio of two times.
        case time(work: Quantity, baseline: Quantity)
        /// The ratio of two peaks of memory, or the peak in megabytes where there is no baseline.
        case memory(of: String, baseline: String?)
        /// What one of many takes, in bytes: the difference of two peaks.
        case bytes(of: String, over: String, count: Int)
    }

    let detail: String
    let kind: Kind
    /// What the ratio, or the megabytes, may be; `nil` where the line is for information.
    let bar: Double?
    /// Whether the work did what it should, asked when it has been measured.
    var isRight: () -> Bool = { true }

    static func time(_ detail: String, _ work: Subject, _ baseline: Subject, atMost bar: Double?) -> Line {
        .time(detail, Quantity(work), Quantity(baseline), atMost: bar)
    }

    static func time(_ detail: String, _ work: Quantity, _ baseline: Quantity, atMost bar: Double?) -> Line {
        Line(detail: detail, kind: .time(work: work, baseline: baseline), bar: bar)
    }

    static func memory(_ detail: String, of program: String, over baseline: String? = nil, atMost bar: Double) -> Line {
        Line(detail: detail, kind: .memory(of: program, baseline: baseline), bar: bar)
    }

    static func bytes(_ detail: String, of program: String, over: String, count: Int, atMost bar: Double) -> Line {
        Line(detail: detail, kind: .bytes(of: program, over: over, count: count), bar: bar)
    }

    /// The same line, which is over its bar where `isRight` says so.
    func exact(_ isRight: @escaping () -> Bool) -> Line {
        var line = self
        line.isRight = isRight
        return line
    }
}

/// What a line came to.
struct Finding {
    let work: String
    let baseline: String
    let ratio: Double
    let verdict: String
    var isOver: Bool { verdict == "over" || verdict == "WRONG" }

    init(work: String, baseline: String, ratio: Double, of line: Line) {
        self.work = work
        self.baseline = baseline
        self.ratio = ratio
        verdict =
            if !line.isRight() {
                "WRONG"
            } else if let bar = line.bar {
                ratio <= bar ? "ok" : "over"
            } else {
                "-"
            }
    }
}

extension Row {
    /// Measures the subjects of all lines, pass by pass in turn, so that what disturbs the work disturbs the baseline.
    /// Those that leave the heap in disorder come last.
    func measure() async -> [(Line, Finding)] {
        let lines = lines()
        let subjects = unique(lines.flatMap(\.subjects))
        await measure(subjects.filter { !$0.isLarge })
        await measure(subjects.filter(\.isLarge))
        return lines.map { ($0, $0.finding()) }
    }

    private func measure(_ subjects: [Subject]) async {
        for subject in subjects { await subject.warmUp() }
        var spent = Duration.zero
        var passes = 0
        while !subjects.isEmpty, passes < 5 || (passes < 60 && spent < .milliseconds(1_200)) {
            for subject in subjects { spent += await subject.pass() }
            passes += 1
        }
    }

    private func unique(_ subjects: [Subject]) -> [Subject] {
        var seen: Set<ObjectIdentifier> = []
        return subjects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

extension Line {
    fileprivate var subjects: [Subject] {
        guard case .time(let work, let baseline) = kind else { return [] }
        return work.subjects + baseline.subjects
    }

    fileprivate func finding() -> Finding {
        switch kind {
        case .time(let work, let baseline):
            let (work, against) = (work.nanoseconds(), baseline.nanoseconds())
            return Finding(
                work: "\(short(work)) ns", baseline: "\(baseline.name) \(short(against)) ns", ratio: work / against,
                of: self)
        case .memory(let program, let baseline?):
            let (work, against) = (Memory.peak(of: program), Memory.peak(of: baseline))
            return Finding(
                work: "\(short(work)) MB", baseline: "\(baseline) \(short(against)) MB", ratio: work / against,
                of: self)
        case .bytes(let program, let base, let count):
            let each = (Memory.peak(of: program) - Memory.peak(of: base)) * 1_000_000 / Double(count)
            return Finding(work: "\(short(each)) B", baseline: "B", ratio: each, of: self)
        case .memory(let program, nil):
            let work = Memory.peak(of: program)
            return Finding(work: "\(short(work)) MB", baseline: "MB", ratio: work, of: self)
        }
    }
}
