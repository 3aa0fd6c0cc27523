import Synchronization
import VirtualTime

/// Gives the case at hand a label when `condition` holds, so that the failure's text can say how many had it.
///
/// With a share, the property fails when fewer cases had the label: a property that never meets the interesting inputs
/// says nothing about them.
///
/// ```swift
/// await forAll(Gen.int.array()) { numbers in
///     classify(numbers.isEmpty, "empty")
///     classify(numbers.count > 10, "long", atLeast: 0.2)
///     #expect(numbers.sorted().count == numbers.count)
/// }
/// ```
///
/// Call it in the body of a property, in the task of the body; elsewhere it does nothing.
public func classify(_ condition: Bool, _ label: String, atLeast share: Double = 0) {
    Labels.current?.note(label, isGiven: condition, required: share)
}

/// How many cases had which label.
final class Labels: Sendable {
    @TaskLocal static var current: Labels?

    struct Entry: Sendable {
        var label: String
        var count = 0
        var required = 0.0
    }

    private struct State {
        var entries: [Entry] = []
        var pending: Set<String> = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let cases = Atomic(0)
    // Most properties have no labels: their cases take no lock.
    private let isUsed = Atomic(false)

    func note(_ label: String, isGiven: Bool, required: Double) {
        isUsed.store(true, ordering: .releasing)
        state.withLock { state in
            guard !state.isClosed else { return }
            if let index = state.entries.firstIndex(where: { $0.label == label }) {
                state.entries[index].required = max(state.entries[index].required, required)
            } else {
                state.entries.append(Entry(label: label, required: required))
            }
            if isGiven { state.pending.insert(label) }
        }
    }

    /// Counts the case whose body has ended, or forgets it.
    func endCase(counts: Bool) {
        if counts { cases.wrappingAdd(1, ordering: .relaxed) }
        guard isUsed.load(ordering: .acquiring) else { return }
        state.withLock { state in
            if counts {
                for index in state.entries.indices where state.pending.contains(state.entries[index].label) {
                    state.entries[index].count += 1
                }
            }
            state.pending = []
        }
    }

    /// Counts nothing from now on: while a counterexample is made smaller.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// The labels that fewer cases had than they should; 7 of 100 are enough for 0.07, which is no exact number.
    var missing: [String] {
        let cases = cases.load(ordering: .relaxed)
        return state.withLock { state in
            state.entries.filter { Double($0.count) + 1e-6 < $0.required * Double(cases) }.map { entry in
                "\"\(entry.label)\": \(entry.count) of \(cases), at least \(percent(entry.required)) wanted"
            }
        }
    }

    /// Shares of the cases so far, in the order in which labels came up first.
    var description: String? {
        let cases = cases.load(ordering: .relaxed)
        return state.withLock { state in
            guard !state.entries.isEmpty else { return nil }
            return state.entries.map { entry in
                "\(percent(cases == 0 ? 0 : Double(entry.count) / Double(cases))) \(entry.label)"
            }.joined(separator: ", ")
        }
    }
}

private func percent(_ share: Double) -> String {
    "\(Int((share * 100).rounded()))%"
}
