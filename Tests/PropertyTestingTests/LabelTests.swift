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
                    labels: 0% odd (100 cases)
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

    @Test("The labels of a replayed case state that they are those of one case")
    func replayedCase() async {
        let settings = PropertySettings(cases: 10, replay: Replay("1-5"))
        let found = await falsify(Gen.int.array(1...3), settings: settings) { numbers in
            classify(numbers.isEmpty, "empty")
            throw Failed()
        }
        #expect(found?.labels == "0% empty (1 case)")
    }

    /// Returns the failure, and the number of cases, if a label has one of two probabilities.
    private func checked(
        _ share: Double, confidence: Int? = 1_000_000_000, cases: Int = 100, examples: [Bool] = [], seed: UInt64 = 1
    ) async -> (found: Falsified?, count: Int) {
        var count = 0
        let settings = PropertySettings(cases: cases, seed: seed, confidence: confidence)
        let found = await falsify(Gen.bool, examples: examples, settings: settings) { isGiven in
            count += 1
            classify(isGiven, "half", atLeast: share)
        }
        return (found, count)
    }

    @Test("With a confidence, further cases decide whether a share is large enough")
    func confidence() async {
        // Far above and far below the required share, the first cases decide.
        #expect(await checked(0.1).count == 100)
        #expect(await checked(0.99).count == 100)
        for share in [0.1, 0.3, 0.45, 0.5] {
            let (found, count) = await checked(share)
            #expect(found == nil)
            // The cases double: 100, 200, 400 and so on.
            #expect(count % 100 == 0 && (count / 100).nonzeroBitCount == 1)
        }
        for share in [0.57, 0.7, 1] { #expect(await checked(share).found != nil) }
        // Without one, chance decides.
        var results: Set<Bool> = []
        for seed in 0..<20 as Range<UInt64> {
            results.insert(await checked(0.5, confidence: nil, seed: seed).found == nil)
            #expect(await checked(0.5, seed: seed).found == nil)
        }
        #expect(results.count == 2)
    }

    @Test("A smaller confidence needs fewer cases")
    func confidences() async {
        let (few, many) = (await checked(0.55, confidence: 1), await checked(0.55))
        #expect(few.count < many.count)
        #expect(
            many.found?.description == """
                Too few cases with "half": 3108 of 6400, at least 55% wanted, wrong in at most 1 of 1000000000 checks.
                    labels: 49% half (6400 cases)
                """)
    }

    @Test("A label of all cases is missed with the first case that lacks it, and is met in nine tenths with 200 cases")
    func allCases() async {
        let settings = PropertySettings(seed: 1, confidence: 1_000_000_000)
        var count = 0
        let all = await falsify(Gen.int, settings: settings) { _ in
            count += 1
            classify(true, "all", atLeast: 1)
        }
        #expect(all == nil)
        #expect(count == 400)
        count = 0
        let one = await falsify(Gen.int, settings: settings) { _ in
            count += 1
            classify(count != 1, "all", atLeast: 1)
        }
        #expect(count == 100)
        #expect(one?.labels == "99% all (100 cases)")
    }

    @Test("Examples are no sample, and do not count with a confidence")
    func examples() async {
        let (found, count) = await checked(0.3, examples: [Bool](repeating: false, count: 1_000))
        #expect(found == nil)
        #expect(count < 2_000)
    }

    @Test("Further cases have the sizes of the first ones, and their failures are shrunk")
    func furtherCases() async {
        var sizes: [Int] = []
        let sized = Gen { source in source.size }
        let settings = PropertySettings(cases: 10, seed: 1, confidence: 1_000_000_000)
        let found = await falsify(sized, settings: settings) { size in
            sizes.append(size)
            classify(size > 50, "large", atLeast: 0.5)
            if sizes.count == 35 { throw Failed() }
        }
        #expect(sizes.prefix(10) == [1, 12, 23, 34, 45, 56, 67, 78, 89, 100])
        #expect(sizes[10..<20] == sizes[..<10])
        #expect(found?.history?.hasPrefix("case 35 of 40") == true)
    }

    @Test("The trait sets the confidence of a test", .checkCoverage(confidence: 1_000), .cases(100))
    func trait() async {
        #expect(PropertySettings.current.confidence == 1_000)
        #expect(PropertySettings().confidence == nil)
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
