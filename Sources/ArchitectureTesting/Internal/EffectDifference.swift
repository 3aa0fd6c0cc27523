import FunctionalCore

/// What differs between two lists of effects, whose order does not count.
struct EffectDifference<Effect: Equatable> {
    /// The effects that were expected, and are not there.
    let missing: [Effect]
    /// The effects that are there, and were not expected.
    let unexpected: [Effect]

    init(from expected: [Effect], to actual: [Effect]) {
        var unexpected = actual
        missing = expected.filter { effect in
            guard let index = unexpected.firstIndex(of: effect) else { return true }
            unexpected.remove(at: index)
            return false
        }
        self.unexpected = unexpected
    }

    /// Each missing effect beside the unexpected one of the same case that is most like it; where there is none, alone.
    func lines(showingAllUnexpected: Bool) -> [String] {
        var (lines, candidates) = ([String](), unexpected)
        for effect in missing {
            let twins = candidates.indices.filter { caseName(of: candidates[$0]) == caseName(of: effect) }
                .map { index in (index: index, diff: LineDiff(from: effect, to: candidates[index])) }
            if let twin = twins.min(by: { $0.diff.distance < $1.diff.distance }) {
                candidates.remove(at: twin.index)
                lines += twin.diff.lines
            } else {
                lines += ArchitectureTesting.missing(effect)
            }
        }
        return showingAllUnexpected ? lines + candidates.flatMap(added) : lines
    }
}

/// The case of an enum's value; the type of any other.
private func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "\(mirror.subjectType)" }
    return mirror.children.first?.label ?? "\(value)"
}
