import PropertyTesting
import Testing

/// The cases and shares that count for a label.
@Suite("Labels", .seed(20_260_101), .timeLimit(.minutes(10)))
struct LabelTests {
    @Test("A discarded case does not count for its labels")
    func discarded() async {
        let found = await falsify(Gen.int) { number in
            classify(number % 2 != 0, "odd", atLeast: 0.01)
            try assume(number % 2 == 0)
        }
        #expect(
            found?.description == """
                Too few cases with "odd": 0 of 100, at least 1% wanted.
                    labels: 0% odd
                """)
    }

    @Test("A label that is given only during shrinking is not reported")
    func shrinking() async {
        var hasFailed = false
        let found = await falsify(Gen.int(in: 0...1_000)) { number in
            if hasFailed { classify(true, "shrinking") }
            hasFailed = hasFailed || number >= 500
            try require(number < 500, "large")
        }
        #expect(found?.message == "large")
        #expect(found?.description.contains("labels:") == false)
    }

    @Test("A required share that is not a whole percentage is not rounded", arguments: [0.001, 0.294])
    func fractionalShares(_ share: Double) async {
        let found = await falsify(Gen.int) { _ in classify(false, "never", atLeast: share) }
        let message = "Too few cases with \"never\": 0 of 100, at least a share of \(share) wanted."
        #expect(found?.message == message)
    }

    @Test("The largest required share of a label counts", arguments: [[0.1, 0], [0, 0.1]])
    func largestShare(_ shares: [Double]) async {
        let found = await falsify(Gen.int) { _ in
            for share in shares { classify(false, "never", atLeast: share) }
        }
        #expect(found?.description.hasPrefix("Too few cases with \"never\": 0 of 100, at least 10% wanted.") == true)
    }
}
