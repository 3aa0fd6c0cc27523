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

    /// An event of one of several streams.
    private struct Step: Action {
        let stream: Int
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

    /// The values of a stream of steps, up to its end or failure.
    private static func values(of steps: ActionStream<Step>) -> ActionStream<Int> {
        steps.prefix { $0.event != .end }.tryMap { step in
            guard case .value(let value) = step.event else { throw Unanswerable() }
            return value
        }
    }

    /// Runs a stream in a store, to which each step is dispatched.
    private func run(
        _ steps: [Step], _ stream: @escaping @Sendable (ActionStream<any Action>) -> ActionStream<String>
    ) -> Result {
        let log = Log()
        let store = Store(reducer: journal, initialState: [])
        store.onError { _ in }
        let registration = store.register(
            Effect(dispatch: false, onFailure: .stop) { actions in
                stream(actions).handleEvents { log.append($0) }.map { _ in Answered(id: 0) }
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

    /// An operator on two or on any number of streams, and its model: what the last event, of the stream with this index,
    /// emits, and whether the stream has ended then.
    private struct Operator: Sendable {
        let name: String
        let array: (@Sendable ([ActionStream<Int>]) -> ActionStream<[Int]>)?
        let pair: @Sendable (ActionStream<Int>, ActionStream<Int>) -> ActionStream<[Int]>
        let model: @Sendable (_ sides: [Side], _ last: Int, _ isValue: Bool) -> (emitted: [[Int]], hasEnded: Bool)

        static let all = [
            Operator(name: "merge") {
                .merge($0.map { $0.map { [$0] } })
            } pair: { left, right in
                left.merge(with: right).map { [$0] }
            } model: { sides, last, isValue in
                (isValue ? [[sides[last].values.last ?? -1]] : [], sides.allSatisfy(\.hasEnded))
            },
            Operator(name: "combineLatest") {
                .combineLatest($0)
            } pair: { left, right in
                left.combineLatest(right).map { [$0, $1] }
            } model: { sides, last, isValue in
                let latest = sides.compactMap(\.values.last)
                return (
                    isValue && latest.count == sides.count ? [latest] : [],
                    sides.contains { $0.hasEnded && $0.values.isEmpty } || sides.allSatisfy(\.hasEnded)
                )
            },
            Operator(name: "zip") {
                .zip($0)
            } pair: { left, right in
                left.zip(right).map { [$0, $1] }
            } model: { sides, last, isValue in
                let count = sides.map(\.values.count).min() ?? 0
                let isLowest = sides.indices.allSatisfy {
                    $0 == last || sides[$0].values.count >= sides[last].values.count
                }
                return (
                    isValue && isLowest ? [sides.map { $0.values[count - 1] }] : [],
                    sides.contains { $0.hasEnded && $0.values.count == count }
                )
            },
            Operator(name: "withLatestFrom", array: nil) { left, right in
                left.withLatestFrom(right).map { [$0, $1] }
            } model: { sides, last, isValue in
                let latest = last == 0 && isValue ? sides[1].values.last : nil
                return (
                    latest.map { [[sides[0].values.last ?? -1, $0]] } ?? [],
                    sides[0].hasEnded || (sides[1].hasEnded && sides[1].values.isEmpty)
                )
            },
            Operator(name: "prefix(untilOutputFrom:)", array: nil) { left, right in
                left.prefix(untilOutputFrom: right).map { [$0] }
            } model: { sides, last, isValue in
                (
                    last == 0 && isValue ? [[sides[0].values.last ?? -1]] : [],
                    sides[0].hasEnded || !sides[1].values.isEmpty
                )
            },
        ]

        func expected(_ steps: [Step], of count: Int) -> Result {
            var sides = [Side](repeating: Side(), count: count)
            var result = Result(end: count == 0 ? "finished" : "running")
            for step in steps where result.end == "running" && !sides[step.stream].hasEnded {
                if step.event == .failure {
                    result.end = "failed"
                    break
                }
                if case .value(let value) = step.event { sides[step.stream].values.append(value) }
                sides[step.stream].hasEnded = step.event == .end
                let (emitted, hasEnded) = model(sides, step.stream, step.event != .end)
                result.values += emitted.map { "\($0)" }
                if hasEnded { result.end = "finished" }
            }
            return result
        }
    }

    @Test("Operators on two and on any number of streams follow their models", arguments: Operator.all.indices)
    func models(index: Int) {
        let operation = Operator.all[index]
        var ends: Set<String> = []
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let count = operation.array == nil ? 2 : Int.random(in: 0...4, using: &random)
            let steps = (0..<(count == 0 ? 0 : Int.random(in: 0...20, using: &random))).map { value in
                let event: Event =
                    switch Int.random(in: 0..<16, using: &random) {
                    case 0: .failure
                    case 1...3: .end
                    default: .value(value)
                    }
                return Step(stream: Int.random(in: 0..<count, using: &random), event: event)
            }
            let wanted = operation.expected(steps, of: count)
            for isPair in [true, false] where isPair ? count == 2 : operation.array != nil {
                let actual = run(steps) { actions in
                    let streams = (0..<count).map { number in
                        Self.values(of: actions.ofType(Step.self).filter { $0.stream == number })
                    }
                    let combined = isPair ? operation.pair(streams[0], streams[1]) : operation.array?(streams) ?? .empty
                    return combined.map { "\($0)" }
                }
                ends.insert(actual.end)
                let shown = steps.map { "\($0.stream) \($0.event)" }
                #expect(actual == wanted, "\(operation.name), \(isPair ? "pair" : "array"), seed \(seed): \(shown)")
                if actual != wanted { return }
            }
        }
        #expect(ends == ["running", "finished", "failed"])
    }

    @Test("merge, combineLatest and zip of 50,000 streams need no stack")
    func manyStreams() {
        let counts = Operator.all.compactMap(\.array).map { combine in
            run([]) { _ in combine((0..<50_000).map { .just($0) }).map { "\($0.count)" } }.values.count
        }
        #expect(counts == [50_000, 1, 1])
    }
}
