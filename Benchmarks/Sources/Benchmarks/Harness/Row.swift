/// A row of the performance table, with one line for each of its bars.
struct Row: Sendable {
    let section: String
    let name: String
    /// The time of the best peer, in nanoseconds, as it was measured on another machine.
    let peer: String
    /// Makes the subjects when the row is measured.
    let lines: @Sendable () -> [Line]

    init(_ section: String, _ name: String, peer: String = "", lines: @escaping @Sendable () -> [Line]) {
        self.section = section
        self.name = name
        self.peer = peer
        self.lines = lines
    }
}

extension Row {
    /// Measures the row again if a line is over its bar or could not be measured, since a disturbance must not fail it.
    /// If the work or the baseline of a line has a wrong result, the row is not measured again.
    func measureUpToThreeTimes() async -> [(Line, Finding)] {
        var findings = await measure()
        for _ in 0..<2 where findings.contains(where: { $1.isFailure }) {
            if findings.contains(where: { line, _ in !line.isRight }) { break }
            findings = await measure()
        }
        return findings
    }

    /// Measures the subjects of all lines, pass by pass in turn, so that a disturbance affects work and baseline alike.
    /// Subjects that fragment the heap come last.
    func measure() async -> [(Line, Finding)] {
        let lines = lines()
        var seen: Set<ObjectIdentifier> = []
        let subjects = lines.flatMap(\.subjects).filter { seen.insert(ObjectIdentifier($0)).inserted }
        await measure(subjects.filter { !$0.isLarge })
        await measure(subjects.filter(\.isLarge))
        return lines.map { ($0, $0.finding()) }
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
