import FunctionalCore

/// The difference of two lists of effects. The order of the effects does not count.
struct EffectDifference<Effect: Equatable> {
    /// The expected effects that are not in the actual list.
    let missing: [Effect]
    /// The actual effects that were not expected.
    let unexpected: [Effect]

    init(from expected: [Effect], to actual: [Effect]) {
        var unexpected = actual
        missing = expected.filter { effect in
            guard let index = unexpected.firstIndex(where: { ValueEquality.areEqual($0, effect) }) else { return true }
            unexpected.remove(at: index)
            return false
        }
        self.unexpected = unexpected
    }

    /// Returns the lines that show the difference. Each missing effect is compared with the most similar unexpected
    /// effect of the same case. If there is no such effect, the missing effect is shown alone. If
    /// `showingAllUnexpected` is `true`, the remaining unexpected effects follow.
    func lines(showingAllUnexpected: Bool) -> [String] {
        var (lines, candidates) = ([String](), unexpected)
        for effect in missing {
            let twins = candidates.indices.filter { caseName(of: candidates[$0]) == caseName(of: effect) }
                .map { index in (index: index, diff: ValueDiff.difference(from: effect, to: candidates[index])) }
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

/// Returns the name of the case if `value` is an enum, and otherwise the name of its type.
private func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "\(mirror.subjectType)" }
    return mirror.children.first?.label ?? "\(value)"
}
