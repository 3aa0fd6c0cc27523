import PropertyTesting
import TestSupport
import Testing

/// `falsify`, which can be called outside of a test, and the checks of arguments.
@Suite("Falsify", .timeLimit(.minutes(10)))
struct FalsifyTests {
    @Test func aPropertyThatHoldsIsNotFalsified() async {
        var calls = 0
        let found = await falsify(Gen.int) { _ in calls += 1 }
        #expect(found == nil)
        #expect(calls == 100)
    }

    @Test func aBodyThatAlwaysThrowsFails() async {
        let found = await falsify(Gen.int) { _ in throw Failed() }
        #expect(found?.counterexample == "0")
        #expect(found?.message == "Failed()")
    }

    @Test func discardingEverythingFails() async {
        let found = await falsify(Gen.int) { _ in try assume(false) }
        #expect(found?.message.hasPrefix("Gave up: 1001 inputs were discarded and 0 tried.") == true)
        let filtered = await falsify(Gen.int.filter { _ in false }) { _ in }
        #expect(filtered?.message.hasPrefix("Gave up: 1001 inputs were discarded and 0 tried.") == true)
    }

    @Test func discardingTheOnlyReplayedInputFails() async {
        let settings = PropertySettings(cases: 0, replay: Replay("1-5"))
        for generator in [Gen.int, Gen.int.filter { _ in false }] {
            let found = await falsify(generator, settings: settings) { _ in try assume(false) }
            #expect(found?.message.hasPrefix("Gave up: 1 inputs were discarded and 0 tried.") == true)
            #expect(await falsify(generator, examples: [1], settings: settings) { try assume($0 == 1) } == nil)
        }
    }

    @Test func discardedInputsDoNotCountAsCases() async {
        var ran = 0
        let found = await falsify(Gen.int(in: 0...9)) { number in
            try assume(number % 2 == 0)
            ran += 1
        }
        #expect(found == nil)
        #expect(ran == 100)
    }

    @Test(arguments: [[], [7]]) func aCancelledPropertyBlamesNoInput(_ examples: [Int]) async {
        let (found, calls) = await Task {
            var calls = 0
            let found = await falsify(Gen.int, examples: examples) { _ in
                calls += 1
                if calls == 4 { withUnsafeCurrentTask { $0?.cancel() } }
                try Task.checkCancellation()
            }
            return (found, calls)
        }.value
        #expect(calls == 4)
        #expect(
            found?.description
                == "Cancelled: the task was cancelled before all inputs were tried. No input is known to fail.")
        #expect(found?.replay == nil)
    }

    @Test func missingCoverageFails() async {
        let found = await falsify(Gen.int) { number in
            classify(number > 1_000_000, "huge", atLeast: 0.05)
            classify(true, "any")
        }
        #expect(
            found?.description == """
                Too few cases with "huge": 0 of 100, at least 5% wanted.
                    labels: 0% huge, 100% any (100 cases)
                """)
    }

    @Test(arguments: [0.07, 0.1, 0.14, 0.28, 0.29, 0.55, 0.56, 0.57, 0.58])
    func requiredCoverageMayBeMetExactly(_ share: Double) async {
        var number = 0
        func run(_ wanted: Int) async -> Falsified? {
            number = 0
            return await falsify(Gen.int) { _ in
                classify(number < wanted, "some", atLeast: share)
                number += 1
            }
        }
        let wanted = Int((share * 100).rounded())
        #expect(await run(wanted) == nil)
        #expect(await run(wanted - 1) != nil)
    }

    @Test func theCountOfCasesMayBeTheLargestInteger() async {
        var ran = 0
        let found = await falsify(Gen.int, settings: .init(cases: .max, shrinkTries: 0)) { _ in
            ran += 1
            try assume(ran > 20)
            try require(ran < 50, "enough")
        }
        #expect(found?.message == "enough")
    }

    @Test func examplesRunFirst() async {
        var first: [Int] = []
        let found = await falsify(Gen.int(in: 0...9), examples: [3, 1_000, 5]) { number in
            first.append(number)
            try require(number < 1_000, "large")
        }
        #expect(first.prefix(2) == [3, 1_000])
        #expect(found?.description == "large\nfalsified for: 1000 (example 2)")
    }

    @Test func aReplayGivesTheSameCase() async throws {
        let generator = Gen.zip(Gen.string.array(), Gen.int.function(of: String.self))
        func run(_ settings: PropertySettings) async -> Falsified? {
            await falsify(generator, settings: settings) { texts, length in
                try require(texts.map { length($0) }.reduce(0, +) < 10, "long")
            }
        }
        let found = try #require(await run(.init(cases: 1_000)))
        let replay = try #require(found.replay)
        #expect(Replay("\(replay)") == replay)
        let again = await run(.init(cases: 0, replay: replay))
        #expect(again?.counterexample == found.counterexample)
        #expect(again?.firstSeen == found.firstSeen)
    }

    @Test(arguments: ["", "x", "1-", "-1", "1-0", "1-zz", "!-5", "1-2-3"])
    func anInvalidReplayLineIsNil(_ text: String) {
        #expect(Replay(text) == nil)
    }

    @Test(.promptly, arguments: Misuse.allCases) func aMisuseTraps(_ misuse: Misuse) async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
            await misuse.happen()
        }?.expectError(misuse.message)
    }
}

/// Calls with arguments that are programmer errors.
enum Misuse: CaseIterable, Codable {
    case replayLine, traitWithoutCases, traitOfNegativeCases, settingsWithoutCases, settingsOfNegativeCases
    case negativeElementCount, infiniteRange, noElements, noTest, noOrders

    func happen() async {
        switch self {
        case .replayLine: let _: PropertyTrait = .replay("nonsense")
        case .traitWithoutCases: let _: PropertyTrait = .cases(0)
        case .traitOfNegativeCases: let _: PropertyTrait = .cases(-1)
        case .settingsWithoutCases: _ = await falsify(Gen.int, settings: .init(cases: 0)) { _ in }
        case .settingsOfNegativeCases: _ = await falsify(Gen.int, settings: .init(cases: -3)) { _ in }
        case .negativeElementCount: _ = await falsify(Gen.int.array(-3 ... -1)) { _ in }
        case .infiniteRange: _ = Gen.double(in: 0 ... .infinity)
        case .noElements: _ = Gen.element(of: [] as [Int])
        case .noTest: await Task.detached { await forAll(Gen.int) { _ in } }.value
        case .noOrders: _ = await falsifyOrders(limit: 0) { _ in }
        }
    }

    var message: String {
        switch self {
        case .replayLine: #".replay("nonsense") does not name a case. To fix, copy the replay line"#
        case .traitWithoutCases: ".cases(0) tries no input, so every property would pass. To fix, pass 1 or more."
        case .traitOfNegativeCases: ".cases(-1) tries no input, so every property would pass. To fix, pass 1 or more."
        case .settingsWithoutCases: "A property with 0 cases tries no input and always passes. To fix, set"
        case .settingsOfNegativeCases: "A property with -3 cases tries no input and always passes. To fix, set"
        case .negativeElementCount: "A collection cannot have -3...-1 elements. To fix, pass counts from 0 to"
        case .infiniteRange: "Gen.double(in: 0.0...inf) has an infinite bound. To fix, pass finite bounds, or use"
        case .noElements: "Gen.element(of:) was given no values to choose from. To fix, pass at least one."
        case .noTest: "forAll was called outside of a test"
        case .noOrders: "A limit of 0 orders tries none, so every test would pass. To fix, pass 1 or more."
        }
    }
}
