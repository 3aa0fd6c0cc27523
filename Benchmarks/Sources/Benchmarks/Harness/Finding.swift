/// The result of a line.
struct Finding {
    enum Verdict: String {
        case ok
        case over
        /// Over a bar that need not be reached yet, and not much worse than recorded.
        case pending
        /// Within its bar, although it is marked pending: the mark can be removed.
        case reached
        /// A subject has not done its work correctly, or could not be measured.
        case wrong = "WRONG"
        /// There is no bar.
        case none = "-"
    }

    let work: String
    let baseline: String
    let ratio: Double
    let verdict: Verdict

    var isFailure: Bool { verdict == .over || verdict == .wrong }

    /// A time, a peak of memory or a ratio that is not a positive number was not measured.
    init(work: String, baseline: String, numbers: [Double], ratio: Double, of line: Line) {
        self.work = work
        self.baseline = baseline
        self.ratio = ratio
        let isMeasured = (numbers + [ratio]).allSatisfy { $0.isFinite && $0 > 0 }
        verdict =
            if !isMeasured || !line.isRight {
                .wrong
            } else if let bar = line.bar {
                switch (ratio <= bar, line.pending) {
                case (true, nil): .ok
                case (true, _?): .reached
                case (false, nil): .over
                case (false, let pending?): ratio <= pending.ceiling ? .pending : .over
                }
            } else {
                .none
            }
    }
}

extension Line {
    func finding() -> Finding {
        switch kind {
        case .time(let work, let baseline):
            let (work, against) = (work.nanoseconds(), baseline.nanoseconds())
            return Finding(
                work: "\(short(work)) ns", baseline: "\(baseline.name) \(short(against)) ns",
                numbers: [work, against], ratio: work / against, of: self)
        case .memory(let program, let baseline?):
            let (work, against) = (Memory.peak(of: program), Memory.peak(of: baseline))
            return Finding(
                work: "\(short(work)) MB", baseline: "\(baseline) \(short(against)) MB",
                numbers: [work, against], ratio: work / against, of: self)
        case .memory(let program, nil):
            let work = Memory.peak(of: program)
            return Finding(work: "\(short(work)) MB", baseline: "MB", numbers: [work], ratio: work, of: self)
        case .bytes(let program, let base, let count):
            let (all, none) = (Memory.peak(of: program), Memory.peak(of: base))
            let each = (all - none) * 1_000_000 / Double(count)
            return Finding(work: "\(short(each)) B", baseline: "B", numbers: [all, none], ratio: each, of: self)
        }
    }
}
