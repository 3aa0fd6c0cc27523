/// A row of the performance table, with one line for each of its bars.
struct Row: Sendable {
    let section: String
    let name: String
    /// The time of the best peer, in nanoseconds, as it was measured on another machine.
    let peer: String
    /// Whether `.ci/instructions` counts the instructions of the row's work.
    let isCounted: Bool
    /// Makes the subjects when the row is measured.
    let lines: @Sendable () -> [Line]

    init(
        _ section: String, _ name: String, peer: String = "", isCounted: Bool = false,
        lines: @escaping @Sendable () -> [Line]
    ) {
        self.section = section
        self.name = name
        self.peer = peer
        self.isCounted = isCounted
        self.lines = lines
    }

    /// The name of a line in `records.txt` and in the list of `.ci/instructions`.
    func name(of line: Line) -> String {
        [section, name, line.detail].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension Row {
    /// Measures the row again if a line is over its bar or could not be measured, since a disturbance must not fail it.
    /// If the work or the baseline of a line has a wrong result, the row is not measured again.
    func measureUpToThreeTimes(_ records: Records) async -> [Finding] {
        var findings: [Finding] = []
        for _ in 0..<3 {
            findings = await measure().map { line, measured in
                Finding(measured, of: line, record: records[name(of: line)])
            }
            if !findings.contains(where: \.isDisturbed) { break }
        }
        return findings
    }

    /// Measures the row three times, and returns the median of the ratios of each line; not a number if a line is wrong.
    func ratios() async -> [(name: String, ratio: Double)] {
        var measured: [[(Line, Measured)]] = []
        for _ in 0..<3 { measured.append(await measure()) }
        return measured[0].indices.map { index in
            let results = measured.map { $0[index] }
            let isRight = results.allSatisfy { line, result in line.isRight && result.isMeasured }
            let line = results[0].0
            return (name(of: line), isRight ? results.map { $1.ratio }.sorted()[1] : .nan)
        }
    }

    /// Measures the subjects of all lines, pass by pass in turn, so that a disturbance affects work and baseline alike.
    /// Subjects that fragment the heap come last.
    private func measure() async -> [(Line, Measured)] {
        let lines = lines()
        var seen: Set<ObjectIdentifier> = []
        let subjects = lines.flatMap(\.subjects).filter { seen.insert(ObjectIdentifier($0)).inserted }
        await measure(subjects.filter { !$0.isLarge })
        await measure(subjects.filter(\.isLarge))
        return lines.map { ($0, $0.measured()) }
    }

    private func measure(_ subjects: [Subject]) async {
        for subject in subjects { await subject.warmUp() }
        // A quartile or a median needs more passes than a minimum.
        let least = subjects.allSatisfy(\.isSync) ? 5 : 25
        var spent = Duration.zero
        var passes = 0
        while !subjects.isEmpty, passes < least || (passes < 60 && spent < .milliseconds(1_200)) {
            for subject in subjects { spent += await subject.pass() }
            passes += 1
        }
    }
}
