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

    private func run(_ operation: @escaping Operator, _ steps: [Step]) -> Result {
        run(steps) { actions in
            func side(_ isLeft: Bool) -> ActionStream<Int> {
                Self.values(of: actions.ofType(Step.self).filter { $0.isLeft == isLeft }) { $0.event }
            }
            return operation(side(true), side(false))
        }
    }

    /// The values of a stream of steps, up to its end or failure.
    private static func values<Step>(
        of steps: ActionStream<Step>, _ event: @escaping @Sendable (Step) -> Event
    ) -> ActionStream<Int> {
        steps.prefix { event($0) != .end }.tryMap { step in
            guard case .value(let value) = event(step) else { throw Unanswerable() }
            return value
        }
    }

    /// Runs a stream in a store, to which each step is dispatched.
    private func run(
        _ steps: [any Action], _ stream: @escaping @Sendable (ActionStream<any Action>) -> ActionStream<String>
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

    private func check(_ operation: @escaping Operator, against model: Model) {
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

    /// An event of one of several streams.
    private struct Numbered: Action {
        let stream: Int
        let event: Event
    }

    /// An operator on any number of streams, its form for two, and its model: what the last event, of the stream with
    /// this index, emits, and whether the stream has ended then.
    private struct Many: Sendable {
        let name: String
        let array: @Sendable ([ActionStream<Int>]) -> ActionStream<[Int]>
        let pair: @Sendable (ActionStream<Int>, ActionStream<Int>) -> ActionStream<[Int]>
        let model: @Sendable (_ sides: [Side], _ last: Int, _ isValue: Bool) -> (emitted: [[Int]], hasEnded: Bool)

        static let all = [
            Many(name: "merge") {
                .merge($0.map { $0.map { [$0] } })
            } pair: { left, right in
                left.merge(with: right).map { [$0] }
            } model: { sides, last, isValue in
                (isValue ? [[sides[last].values.last ?? -1]] : [], sides.allSatisfy(\.hasEnded))
            },
            Many(name: "combineLatest") {
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
            Many(name: "zip") {
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
        ]

        func expected(_ steps: [Numbered], of count: Int) -> Result {
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

    @Test("merge, combineLatest and zip of two and of any number of streams follow their models", arguments: 0..<3)
    func many(_ number: Int) {
        let operation = Many.all[number]
        var ends: Set<String> = []
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...4, using: &random)
            let steps = (0..<(count == 0 ? 0 : Int.random(in: 0...20, using: &random))).map { value in
                let event: Event =
                    switch Int.random(in: 0..<16, using: &random) {
                    case 0: .failure
                    case 1...3: .end
                    default: .value(value)
                    }
                return Numbered(stream: Int.random(in: 0..<count, using: &random), event: event)
            }
            let wanted = operation.expected(steps, of: count)
            for isPair in count == 2 ? [true, false] : [false] {
                let actual = run(steps) { actions in
                    let streams = (0..<count).map { number in
                        Self.values(of: actions.ofType(Numbered.self).filter { $0.stream == number }) { $0.event }
                    }
                    return (isPair ? operation.pair(streams[0], streams[1]) : operation.array(streams)).map { "\($0)" }
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
        let counts = Many.all.map { operation in
            run([]) { _ in operation.array((0..<50_000).map { .just($0) }).map { "\($0.count)" } }.values.count
        }
        #expect(counts == [50_000, 1, 1])
    }

    private static func isValue(_ step: Step) -> Bool { if case .value = step.event { true } else { false } }

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
