import Foundation
import PropertyTesting
import Testing

/// Properties that fail on purpose. They run only in the processes that `GoldenOutputTests` starts.
@Suite(
    .enabled(
        if: variable("DELIBERATE_FAILURES") != nil, "They fail on purpose. GoldenOutputTests checks their output."),
    .timeLimit(.minutes(10))
)
struct DeliberateFailures {
    @Test(.seed(1)) func sumsAreSmall() async {
        await forAll(Gen.int(in: 0...100).array()) { numbers in
            classify(numbers.isEmpty, "empty")
            classify(numbers.count > 3, "more than three")
            #expect(numbers.reduce(0, +) < 250)
        }
    }

    @Test(.seed(1)) func throwsAlways() async {
        await forAll(Gen.int, Gen.string) { _, _ in throw Failed() }
    }

    @Test(.seed(1)) func discardsEverything() async {
        await forAll(Gen.int.filter { $0 > 1_000_000 }) { _ in }
    }

    /// An issue that a detached task records belongs to no test, and therefore to no property.
    @Test func recordsWhereNoTestRuns() async {
        await forAll(Gen.int(in: 0...5), examples: [7]) { number in
            if number == 7 { await Task.detached { _ = Issue.record("of a detached task") }.value }
        }
    }

    @Test func cancelsItself() async {
        await forAll(Gen.int(in: 0...5), examples: [7]) { number in
            if number == 7 { try Test.cancel("enough") }
        }
    }

    @Test func failsAndCancelsItself() async {
        await forAll(Gen.int(in: 0...5), examples: [7]) { number in
            #expect(number != 7)
            if number == 7 { try Test.cancel("enough") }
        }
    }

    /// Replays the case that another process chose, and prints it.
    @Test func printsItsReplay() async {
        let replay = variable("REPLAYED").flatMap(Replay.init)
        let found = await falsify(Replayed.generator, settings: .init(cases: 0, replay: replay)) { input in
            try Replayed.body(input)
        }
        print("replayed \(found?.firstSeen ?? "nothing")")
    }

    @Test func countsItsCases() async {
        var count = 0
        await forAll(Gen.int) { _ in count += 1 }
        print("ran \(count) cases")
    }
}

/// A property whose input consists of a dictionary, a function and an array.
enum Replayed {
    static let generator = Gen.zip(
        Gen.string.dictionary(of: Gen.int), Gen.int.function(of: [String: Int].self), Gen.double.array(2...9))

    static func body(_ input: ([String: Int], GeneratedFunction<[String: Int], Int>, [Double])) throws {
        _ = (input.1(input.0), input.1([:]))
        throw Failed()
    }
}

private func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
}
