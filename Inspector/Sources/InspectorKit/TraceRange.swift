import ArchitectureTracing

/// A range of a trace, by numbers or by seconds.
///
/// The text is `100-200` for numbers and `1.5s-3s` for seconds. Either end may be missing, as in `100-`. Instead of `-`,
/// it may have `...`.
package struct TraceRange: Sendable, Equatable {
    package enum Bounds: Sendable, Equatable {
        case numbers(ClosedRange<Int>)
        case seconds(ClosedRange<Double>)
    }

    package let bounds: Bounds
    package let text: String

    /// Returns `nil` if the text is not that of a range.
    package init?(_ text: String) {
        let separator = text.contains("...") ? "..." : "-"
        let ends = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2, ends != ["", ""] else { return nil }
        self.text = text
        if ends.contains(where: { $0.hasSuffix("s") }) {
            let values = ends.map { $0.isEmpty ? nil : Double($0.hasSuffix("s") ? String($0.dropLast()) : $0) }
            guard zip(values, ends).allSatisfy({ $0 != nil || $1.isEmpty }) else { return nil }
            let (first, last) = (values[0] ?? -.infinity, values[1] ?? .infinity)
            guard first <= last else { return nil }
            bounds = .seconds(first...last)
        } else {
            let values = ends.map { Int($0) }
            guard zip(values, ends).allSatisfy({ $0 != nil || $1.isEmpty }) else { return nil }
            let (first, last) = (values[0] ?? 0, values[1] ?? .max)
            guard first <= last else { return nil }
            bounds = .numbers(first...last)
        }
    }

    func contains(_ entry: TraceEntry) -> Bool {
        switch bounds {
        case .numbers(let numbers): numbers.contains(entry.id)
        case .seconds(let seconds): seconds.contains(entry.time)
        }
    }
}

extension [TraceEntry] {
    /// The places of the events before `end` that a page needs to begin there: the starts of works that are under way,
    /// and the last state of each owner that has not ended.
    func context(before end: Int) -> Set<Int> {
        var works: [Int: Int] = [:]
        var states: [Int: Int] = [:]
        for (place, entry) in self[..<end].enumerated() {
            switch entry.kind {
            case .started: works[entry.id] = place
            case .ended, .cancelled, .failed: if let work = entry.workID { works[work] = nil }
            case .closed: states[entry.owner] = nil
            default: if entry.hasState { states[entry.owner] = place }
            }
        }
        return Set(works.values).union(states.values)
    }
}
