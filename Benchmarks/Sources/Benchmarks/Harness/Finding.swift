/// The result of a line.
struct Finding {
    enum Verdict: String {
        case ok
        case over
        /// Over a bar that need not be reached yet.
        case pending
        /// Within its bar, although it is marked pending: the mark can be removed.
        case reached
        /// A subject has not done its work correctly.
        case wrong = "WRONG"
        /// There is no bar.
        case none = "-"
    }

    let work: String
    let baseline: String
    let ratio: Double
    let verdict: Verdict

    var isFailure: Bool { verdict == .over || verdict == .wrong }

    init(work: String, baseline: String, ratio: Double, of line: Line) {
        self.work = work
        self.baseline = baseline
        self.ratio = ratio
        verdict =
            if !line.subjects.allSatisfy(\.isRight) {
                .wrong
            } else if let bar = line.bar {
                switch (ratio <= bar, line.pending != nil) {
                case (true, false): .ok
                case (true, true): .reached
                case (false, false): .over
                case (false, true): .pending
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
                work: "\(short(work)) ns", baseline: "\(baseline.name) \(short(against)) ns", ratio: work / against,
                of: self)
        case .memory(let program, let baseline?):
            let (work, against) = (Memory.peak(of: program), Memory.peak(of: baseline))
            return Finding(
                work: "\(short(work)) MB", baseline: "\(baseline) \(short(against)) MB", ratio: work / against,
                of: self)
        case .memory(let program, nil):
            let work = Memory.peak(of: program)
            return Finding(work: "\(short(work)) MB", baseline: "MB", ratio: work, of: self)
        case .bytes(let program, let base, let count):
            let each = (Memory.peak(of: program) - Memory.peak(of: base)) * 1_000_000 / Double(count)
            return Finding(work: "\(short(each)) B", baseline: "B", ratio: each, of: self)
        }
    }
}
