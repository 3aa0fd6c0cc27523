import PropertyTesting
import Testing

/// The rows that `swift run -c release --package-path Benchmarks ShrinkingChallenge` runs with twenty seeds.
@Suite("The shrinking challenge", .timeLimit(.minutes(10)))
struct ShrinkingChallengeTests {
    @Test(arguments: ShrinkingChallenge.all, 0..<3 as Range<UInt64>)
    func theSmallestCounterexampleIsFound(_ row: ShrinkingChallenge, _ seed: UInt64) async {
        let found = await row.falsify(PropertySettings(cases: 1_000, seed: seed))
        #expect(found?.counterexample == row.minimum)
    }
}

extension ShrinkingChallenge: CustomTestStringConvertible {
    var testDescription: String { name }
}
