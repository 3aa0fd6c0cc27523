import Effects
import FunctionalCore
import TestSupport
import Testing

/// The values and the ends of operators on one stream, and of streams that follow each other.
@Suite(.timeLimit(.minutes(10))) struct LimitingTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// The values of a stream, and whether it has not ended.
    private struct Answers: Equatable {
        let values: [Int]
        let isRunning: Bool

        init(_ values: [Int], _ isRunning: Bool) {
            (self.values, self.isRunning) = (values, isRunning)
        }
    }

    private func answers(
        to ids: [Int], _ operation: @Sendable (ActionStream<Int>) -> ActionStream<Int>
    ) -> Answers {
        let record = Record<Int>()
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                operation(asked.map(\.id)).handleEvents { record.append($0) }.map(Answered.init)
            })
        for id in ids { store.ask(id) }
        return Answers(record.values, registration.status.isRunning)
    }

    @Test("map, filter and compactMap pass on results, included values, and results that are not nil")
    func mapping() {
        let path: any KeyPath<Int, String> & Sendable = \.description
        #expect(answers(to: [1, 12]) { $0.map(path).map(\.count).map { $0 * 10 } } == Answers([10, 20], true))
        #expect(answers(to: [1, 2, 3, 4]) { $0.filter { $0 > 2 } } == Answers([3, 4], true))
        #expect(answers(to: [1, 2, 3]) { $0.compactMap { $0 == 2 ? nil : $0 * 2 } } == Answers([2, 6], true))
    }

    @Test("scan continues from its previous result, and removeDuplicates compares with the previous value")
    func remembering() {
        #expect(answers(to: [1, 2, 3]) { $0.scan(10) { $0 + $1 } } == Answers([11, 13, 16], true))
        #expect(answers(to: [1, 1, 2, 1, 1]) { $0.removeDuplicates() } == Answers([1, 2, 1], true))
        #expect(answers(to: [1, 3, 2, 4, 5]) { $0.removeDuplicates { $0 % 2 == $1 % 2 } } == Answers([1, 2, 5], true))
    }

    @Test("prefix ends a stream after the given count, also one that has no end or is merged")
    func prefix() {
        let endless: @Sendable () -> ActionStream<Int> = { .sequence(sequence(first: 1) { $0 + 1 }) }
        #expect(answers(to: [1]) { $0.prefix(2) } == Answers([1], true))
        #expect(answers(to: [1, 2, 3]) { $0.prefix(2) } == Answers([1, 2], false))
        #expect(answers(to: []) { $0.prefix(0) } == Answers([], false))
        #expect(answers(to: [0]) { $0.flatMap { _ in endless().prefix(3) } } == Answers([1, 2, 3], true))
        #expect(answers(to: [5]) { endless().prefix(1).merge(with: $0) } == Answers([1, 5], true))
    }

    @Test("A sequence and an empty stream end, and the first failure ends a merged stream")
    func ends() {
        #expect(answers(to: []) { _ in .sequence([1, 2]) } == Answers([1, 2], false))
        #expect(answers(to: []) { _ in .empty } == Answers([], false))
        #expect(
            answers(to: []) { _ in ActionStream.fail(Unanswerable()).merge(with: .just(1)).replaceError(with: 2) }
                == Answers([2], false))
    }

    @Test("prefix(while:) ends at the first value that is not included, and drops it")
    func prefixWhile() {
        #expect(answers(to: [1, 2]) { $0.prefix { $0 < 3 } } == Answers([1, 2], true))
        #expect(answers(to: [1, 2, 3, 1]) { $0.prefix { $0 < 3 } } == Answers([1, 2], false))
        #expect(answers(to: [3]) { $0.prefix { $0 < 3 } } == Answers([], false))
        #expect(answers(to: [1, 2]) { $0.prefix(1).prefix { $0 < 3 } } == Answers([1], false))
    }

    @Test("first(where:) passes on the first value that is included, and ends")
    func firstWhere() {
        #expect(answers(to: [1, 2]) { $0.first { $0 > 2 } } == Answers([], true))
        #expect(answers(to: [1, 3, 4]) { $0.first { $0 > 2 } } == Answers([3], false))
    }

    @Test("dropFirst drops the given number of values", arguments: [0, 1, 2, 4])
    func dropFirst(count: Int) {
        let expected = Array([1, 2, 3].dropFirst(count))
        #expect(answers(to: [1, 2, 3]) { $0.dropFirst(count) } == Answers(expected, true))
        #expect(answers(to: [1, 2, 3, 4]) { $0.prefix(3).dropFirst(count) } == Answers(expected, false))
    }

    @Test("drop(while:) drops values up to the first other one, and no later value")
    func dropWhile() {
        #expect(answers(to: [1, 2, 3, 1, 2]) { $0.drop { $0 < 3 } } == Answers([3, 1, 2], true))
        #expect(answers(to: [1, 2]) { $0.prefix(2).drop { $0 < 3 } } == Answers([], false))
    }

    @Test("append continues after the end, and prepend begins before the start")
    func appending() {
        #expect(answers(to: [1, 2, 3]) { $0.prefix(2).append(8, 9) } == Answers([1, 2, 8, 9], false))
        #expect(answers(to: [1, 2, 3]) { $0.prefix(2).append($0) } == Answers([1, 2, 3], true))
        #expect(answers(to: [1]) { $0.prepend(8, 9) } == Answers([8, 9, 1], true))
        #expect(answers(to: [1, 2, 3]) { $0.prepend($0.prefix(1).map { -$0 }) } == Answers([-1, 2, 3], true))
        #expect(answers(to: [1]) { $0.prefix(1).append(.sequence(2...4)).prefix(3) } == Answers([1, 2, 3], false))
    }

    @Test("A failure of the first stream ends append before the second stream starts")
    func appendFails() {
        let store = world.store()
        store.onError { _ in }
        let registration = store.register(
            world.effect(onFailure: .stop) { _ in ActionStream.fail(Unanswerable()).append(Answered(id: 1)) })
        #expect(registration.status.failure is Unanswerable)
        #expect(store.state == [])
    }

    @Test("Appending many streams needs no stack at their ends")
    func manyAppends() async {
        let count = await onSmallStack {
            let world = QuestionWorld()
            return world.answers(to: []) { _ in
                ActionStream.sequence(1...20_000).flatMap(.queued) { _ in .empty.append(Answered(id: 1)) }
            }.count
        }
        #expect(count == 20_000)
    }

    @Test("tryMap passes on results, and fails with the error that its closure throws")
    func tryMap() {
        let store = world.store()
        store.onError { _ in }
        let registration = store.register(
            world.effect(onFailure: .stop) { asked in
                asked.tryMap { [log] asked in
                    log.append("\(asked)")
                    if asked.id > 2 { throw Unanswerable(id: asked.id) }
                    return Answered(id: asked.id)
                }
            })
        store.ask(1, 2, 3, 4)
        #expect(registration.status.failure as? Unanswerable == Unanswerable(id: 3))
        #expect(log.lines == ["asked 1", "asked 2", "asked 3"])
        #expect(store.state == ["asked 1", "answered 1", "asked 2", "answered 2", "asked 3", "asked 4"])
    }

    @Test("A tryMap that throws ends its source at once")
    func tryMapEndsItsSource() {
        let count = Guarded(0)
        let answers = world.answers(to: []) { _ in
            ActionStream.sequence(sequence(first: 1) { $0 + 1 })
                .tryMap { id -> Answered in
                    count.withLock { $0 += 1 }
                    throw Unanswerable(id: id)
                }
                .replaceError { _ in Answered(id: 9) }
        }
        #expect(answers == [9])
        #expect(count.value == 1)
    }

    @Test("catch continues with another stream, which may listen or fail again")
    func catching() {
        let failing: @Sendable (Int) -> ActionStream<Int> = { .fail(Unanswerable(id: $0)) }
        #expect(
            answers(to: [1]) { _ in ActionStream.just(5).append(failing(2)).catch { _ in .just(6) } }
                == Answers([5, 6], false))
        #expect(answers(to: [1, 2]) { ids in failing(1).catch { _ in ids } } == Answers([1, 2], true))
        #expect(
            answers(to: []) { _ in
                failing(1).catch { failing((($0 as? Unanswerable)?.id ?? 0) + 1) }
                    .replaceError { ($0 as? Unanswerable)?.id ?? 0 }
            } == Answers([2], false))
        #expect(answers(to: [1]) { $0.prefix(1).catch { _ in .just(9) } } == Answers([1], false))
    }

    @Test("mapError replaces the error, and nothing else")
    func mapError() {
        struct Other: Error {}
        #expect(
            answers(to: [1, 2]) {
                $0.tryMap { if $0 == 2 { throw Unanswerable() } else { $0 } }.mapError { _ in Other() }
                    .replaceError { $0 is Other ? -1 : -2 }
            } == Answers([1, -1], false))
        #expect(answers(to: [1]) { $0.prefix(1).mapError { _ in Other() } } == Answers([1], false))
    }

    @Test("collect() emits one array at the end, and nothing at a failure")
    func collect() {
        #expect(answers(to: [1, 2]) { $0.collect().map(\.count) } == Answers([], true))
        #expect(answers(to: [1, 2, 3]) { $0.prefix(3).collect().map { $0.reduce(0, +) } } == Answers([6], false))
        #expect(answers(to: []) { $0.prefix(0).collect().map(\.count) } == Answers([0], false))
        #expect(
            answers(to: [1, 2]) {
                $0.tryMap { if $0 == 2 { throw Unanswerable() } else { $0 } }.collect().map(\.count).replaceError(
                    with: -1)
            } == Answers([-1], false))
    }

    @Test("collect(_:) emits full arrays, and the remaining values at the end")
    func collectByCount() {
        let sum: @Sendable ([Int]) -> Int = { $0.reduce(0) { 10 * $0 + $1 } }
        #expect(answers(to: [1, 2, 3]) { $0.collect(2).map(sum) } == Answers([12], true))
        #expect(answers(to: [1, 2, 3]) { $0.prefix(3).collect(2).map(sum) } == Answers([12, 3], false))
        #expect(answers(to: [1, 2]) { $0.prefix(2).collect(2).map(sum) } == Answers([12], false))
        #expect(answers(to: [1]) { $0.prefix(1).collect(1).map(sum) } == Answers([1], false))
        #expect(
            answers(to: [1, 2, 3]) {
                $0.tryMap { if $0 == 3 { throw Unanswerable() } else { $0 } }.collect(4).map(sum).replaceError(with: -1)
            } == Answers([-1], false))
    }
}
