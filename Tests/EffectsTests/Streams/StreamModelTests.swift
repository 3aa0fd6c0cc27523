import Effects
import TestSupport
import Testing

/// Operators on two streams, compared with a model for random sequences of events.
///
/// The model says for each prefix of the events which values have been emitted, and whether the stream has ended.
@Suite(.timeLimit(.minutes(10))) struct StreamModelTests {
    private enum Event: Equatable {
        case value(Int)
        case end
        case failure
    }

    /// An event of one of two streams.
    private struct Step: Action {
        let isLeft: Bool
        let event: Event
    }

    /// What a stream has emitted, and how it has ended.
    private struct Result: Equatable, CustomStringConvertible {
        var values: [String] = []
        var end = "running"
        var description: String { "\(values) \(end)" }
    }

    /// The values of a stream and whether it has ended, as far as a prefix of the events determines them.
    private struct Side {
        var values: [Int] = []
        var hasEnded = false
    }

    private typealias Operator = @Sendable (ActionStream<Int>, ActionStream<Int>) -> ActionStream<String>
    /// Returns what the last step of some steps emits, and whether the stream has ended then.
    private typealias Model = (_ left: Side, _ right: Side, _ last: Step) -> (emitted: [String], hasEnded: Bool)

    private func run(_ operation: Operator, _ steps: [Step]) -> Result {
        let log = Log()
        let store = Store(reducer: journal, initialState: [])
        store.onError { _ in }
        let registration = store.register(
            Effect(dispatch: false, onFailure: .stop) { actions in
                func side(_ isLeft: Bool) -> ActionStream<Int> {
                    actions.ofType(Step.self).filter { $0.isLeft == isLeft }.prefix { $0.event != .end }
                        .tryMap { step in
                            guard case .value(let value) = step.event else { throw Unanswerable() }
                            return value
                        }
                }
                return operation(side(true), side(false)).handleEvents { log.append($0) }
                    .map { _ in Answered(id: 0) }
            })
        for step in steps { store.dispatch(action: step) }
        let end =
            switch registration.status {
            case .running: "running"
            case .finished: "finished"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
        return Result(values: log.lines, end: end)
    }

    private func expected(_ model: Model, _ steps: [Step]) -> Result {
        var (left, right, result) = (Side(), Side(), Result())
        for step in steps where !(step.isLeft ? left : right).hasEnded {
            switch step.event {
            case .failure:
                result.end = "failed"
                return result
            case .end:
                if step.isLeft { left.hasEnded = true } else { right.hasEnded = true }
            case .value(let value):
                if step.isLeft { left.values.append(value) } else { right.values.append(value) }
            }
            let (emitted, hasEnded) = model(left, right, step)
            result.values += emitted
            if hasEnded {
                result.end = "finished"
                return result
            }
        }
        return result
    }

    private func check(_ operation: Operator, against model: Model) {
        var ends: Set<String> = []
        for seed in 0..<1_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let steps = (0..<Int.random(in: 0...12, using: &random)).map { number in
                let event: Event =
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0: .failure
                    case 1...2: .end
                    default: .value(number)
                    }
                return Step(isLeft: Bool.random(using: &random), event: event)
            }
            let (actual, wanted) = (run(operation, steps), expected(model, steps))
            ends.insert(actual.end)
            #expect(actual == wanted, "seed \(seed): \(steps.map { "\($0.isLeft ? "left" : "right") \($0.event)" })")
            if actual != wanted { return }
        }
        #expect(ends == ["running", "finished", "failed"])
    }

    private static func isValue(_ step: Step) -> Bool { if case .value = step.event { true } else { false } }

    @Test("combineLatest emits the latest values at each value, and ends when no pair can follow")
    func combineLatest() {
        check(
            { left, right in left.combineLatest(right).map { "\($0) \($1)" } },
            against: { left, right, step in
                let pair = left.values.last.flatMap { left in right.values.last.map { "\(left) \($0)" } }
                let isOver = [left, right].contains { $0.hasEnded && $0.values.isEmpty }
                return (
                    Self.isValue(step) && pair != nil ? [pair ?? ""] : [], isOver || (left.hasEnded && right.hasEnded)
                )
            })
    }

    @Test("zip emits the values of the same position, and ends when no pair can follow")
    func zipping() {
        check(
            { left, right in left.zip(right).map { "\($0) \($1)" } },
            against: { left, right, step in
                let count = (step.isLeft ? left : right).values.count
                let isPair = Self.isValue(step) && count <= (step.isLeft ? right : left).values.count
                return (
                    isPair ? ["\(left.values[count - 1]) \(right.values[count - 1])"] : [],
                    (left.hasEnded && left.values.count <= right.values.count)
                        || (right.hasEnded && right.values.count <= left.values.count)
                )
            })
    }

    @Test("withLatestFrom emits each value with the latest one of the other stream, or ends if none can come")
    func withLatestFrom() {
        check(
            { left, right in left.withLatestFrom(right).map { "\($0) \($1)" } },
            against: { left, right, step in
                let latest = step.isLeft && Self.isValue(step) ? right.values.last : nil
                return (
                    latest.map { ["\(left.values.last ?? -1) \($0)"] } ?? [],
                    left.hasEnded || (right.hasEnded && right.values.isEmpty)
                )
            })
    }

    @Test("merge emits all values, and ends when both streams have ended")
    func merge() {
        check(
            { left, right in left.merge(with: right).map { "\($0)" } },
            against: { left, right, step in
                let values = (step.isLeft ? left : right).values
                return (Self.isValue(step) ? ["\(values.last ?? -1)"] : [], left.hasEnded && right.hasEnded)
            })
    }

    @Test("prefix(untilOutputFrom:) ends with its own stream, or at the first value of the other one")
    func prefixUntilOutput() {
        check(
            { left, right in left.prefix(untilOutputFrom: right).map { "\($0)" } },
            against: { left, right, step in
                (
                    step.isLeft && Self.isValue(step) ? ["\(left.values.last ?? -1)"] : [],
                    left.hasEnded || !right.values.isEmpty
                )
            })
    }
}
