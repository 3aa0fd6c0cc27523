import FunctionalCore
import Synchronization
import VirtualTime

/// Labels the running case if a condition holds.
///
/// The text of a failure shows the share of the cases that had each label. A property that passes does not show it. If
/// the share of a label is smaller than `share`, the property fails. So a property does not pass if the interesting
/// inputs were hardly tried.
///
/// ```swift
/// await forAll(Gen.int.array()) { numbers in
///     classify(numbers.isEmpty, "empty")
///     classify(numbers.count > 10, "long", atLeast: 0.2)
///     #expect(numbers.sorted().count == numbers.count)
/// }
/// ```
///
/// Call this function in the body of a property, in the task of the body. Elsewhere it does nothing. Call it in each
/// case, because a label that no case mentions is not required. Discarded cases do not count, and neither do the inputs
/// that are tried while a counterexample is shrunk. Examples and a replayed case count.
///
/// The share in a run varies. To decide with a known confidence whether the real share is large enough, use the trait
/// `.checkCoverage()`.
///
/// - Parameters:
///   - condition: Whether the case has the label.
///   - label: The name of the label.
///   - share: The least share of the cases that must have the label, from 0 to 1. Traps if it is outside of this range.
///     If one label has several shares, the largest applies. Pass a value well below the share that you expect.
public func classify(_ condition: Bool, _ label: String, atLeast share: Double = 0) {
    guard (0...1).contains(share) else {
        fatalError("The label \"\(label)\" must have at least the share \(share). To fix, pass a share from 0 to 1.")
    }
    Labels.current?.note(label, isGiven: condition, required: share)
}

/// The number of cases that had each label.
///
/// Thread-safe, because a body may run on any thread.
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
        /// The number of times that the labels were checked before.
        var round = 0
    }

    private let state = Locked(State())
    private let cases = Atomic(0)
    private let discarded = Atomic(0)
    private let idle = Atomic(0)
    // Most properties have no labels. Their cases take no lock.
    private let isUsed = Atomic(false)

    /// The number of cases that count.
    var caseCount: Int { cases.load(ordering: .relaxed) }

    /// The number of inputs that were not tried if no input was tried, and otherwise `nil`. An input is not tried if it
    /// is discarded, or if its case is idle.
    var untriedCount: Int? {
        let idle = idle.load(ordering: .relaxed)
        return caseCount > idle ? nil : discarded.load(ordering: .relaxed) + idle
    }

    /// Notes that the running case passes without having tried its input.
    func noteIdleCase() {
        idle.wrappingAdd(1, ordering: .relaxed)
    }

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

    /// Counts the labels of the case whose body has ended. If `counts` is `false`, discards them instead.
    func endCase(counts: Bool) {
        if counts { cases.wrappingAdd(1, ordering: .relaxed) } else { discarded.wrappingAdd(1, ordering: .relaxed) }
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

    /// Stops counting. Called before a counterexample is shrunk.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Forgets the cases so far, because they are no random sample.
    func restart() {
        cases.store(0, ordering: .relaxed)
        idle.store(0, ordering: .relaxed)
        state.withLock { state in for index in state.entries.indices { state.entries[index].count = 0 } }
    }

    /// Notes that more cases follow after a check.
    func beginRound() {
        state.withLock { $0.round += 1 }
    }

    /// Whether the cases do not decide, with a confidence, whether each label is frequent enough.
    func areUndecided(_ confidence: Int) -> Bool {
        let cases = caseCount
        return state.withLock { state in
            let coverage = state.entries.map { $0.coverage(in: cases, confidence, round: state.round) }
            return !coverage.contains(.missed) && coverage.contains(.undecided)
        }
    }

    /// The labels that too few cases had, as texts.
    func missing(_ confidence: Int?) -> [String] {
        let cases = caseCount
        let note = confidence.map { ", wrong in at most 1 of \($0) checks" } ?? ""
        return state.withLock { state in
            state.entries.filter { $0.coverage(in: cases, confidence, round: state.round) == .missed }.map { entry in
                "\"\(entry.label)\": \(entry.count) of \(cases), at least \(exactPercent(entry.required)) wanted\(note)"
            }
        }
    }

    /// The share of the cases that had each label, with their number, in the order in which the labels first occurred, as text. `nil` if
    /// the body uses no labels.
    var description: String? {
        let cases = caseCount
        return state.withLock { state in
            guard !state.entries.isEmpty else { return nil }
            return state.entries.map { entry in
                "\(percent(cases == 0 ? 0 : Double(entry.count) / Double(cases))) \(entry.label)"
            }.joined(separator: ", ") + " (\(cases == 1 ? "1 case" : "\(cases) cases"))"
        }
    }
}

extension Labels.Entry {
    enum Coverage {
        case met, missed, undecided
    }

    /// Returns whether the label is as frequent as it is required to be.
    ///
    /// With a confidence, this is a test of the hypothesis that each case has the label with the required probability,
    /// or with nine tenths of it. The Chernoff bound is at least the probability of a count that is so far away.
    ///
    /// - Parameter round: The number of checks before this one. Each check has a part of the probability of a wrong
    ///   result, and the sum of the parts 1/2 + 1/6 + 1/12 + … is 1.
    fileprivate func coverage(in cases: Int, _ confidence: Int?, round: Int) -> Coverage {
        // The tolerance accepts 7 of 100 cases for a share of 0.07, which has no exact binary representation.
        let isMet = Double(count) + 1e-6 >= required * Double(cases)
        guard let confidence, required > 0 else { return isMet ? .met : .missed }
        let limit = Platform.logarithm(Double(confidence) * Double(round + 1) * Double(round + 2))
        if !isMet, improbability(in: cases, with: required) > limit { return .missed }
        let least = 0.9 * required
        let isEnough = Double(count) > least * Double(cases) && improbability(in: cases, with: least) > limit
        return isEnough ? .met : .undecided
    }

    /// Returns the negative logarithm of the Chernoff bound for `count` in `cases`, each of which has the label with the
    /// given probability.
    private func improbability(in cases: Int, with probability: Double) -> Double {
        func term(_ count: Int, _ probability: Double) -> Double {
            count == 0 ? 0 : Double(count) * Platform.logarithm(Double(count) / (Double(cases) * probability))
        }
        return term(count, probability) + term(cases - count, 1 - probability)
    }
}

private func percent(_ share: Double) -> String {
    "\(Int((share * 100).rounded()))%"
}

/// Returns the share as a percentage, or as it is if the percentage is not a whole number.
private func exactPercent(_ share: Double) -> String {
    abs(share * 100 - (share * 100).rounded()) < 1e-6 ? percent(share) : "a share of \(share)"
}
