/// The measured numbers of a line.
struct Measured {
    let work: String
    let baseline: String
    let ratio: Double
    /// A time, a peak of memory or a ratio that is not a positive number was not measured.
    let isMeasured: Bool

    init(work: String, baseline: String, numbers: [Double], ratio: Double) {
        self.work = work
        self.baseline = baseline
        self.ratio = ratio
        isMeasured = (numbers + [ratio]).allSatisfy { $0.isFinite && $0 > 0 }
    }
}

extension Line {
    func measured() -> Measured {
        switch kind {
        case .time(let work, let baseline):
            let (time, against) = (work.nanoseconds(), baseline.nanoseconds())
            return Measured(
                work: "\(short(time)) ns", baseline: "\(baseline.name) \(short(against)) ns",
                numbers: [time, against], ratio: work.medianRatio(to: baseline) ?? time / against)
        case .memory(let program, let baseline?):
            let (work, against) = (Memory.peak(of: program), Memory.peak(of: baseline))
            return Measured(
                work: "\(short(work)) MB", baseline: "\(baseline) \(short(against)) MB",
                numbers: [work, against], ratio: work / against)
        case .memory(let program, nil):
            let work = Memory.peak(of: program)
            return Measured(work: "\(short(work)) MB", baseline: "MB", numbers: [work], ratio: work)
        case .bytes(let program, let base, let count):
            let (all, none) = (Memory.peak(of: program), Memory.peak(of: base))
            let each = (all - none) * 1_000_000 / Double(count)
            return Measured(work: "\(short(each)) B", baseline: "B", numbers: [all, none], ratio: each)
        }
    }
}
