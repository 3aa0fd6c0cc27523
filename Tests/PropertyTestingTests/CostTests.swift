import PropertyTesting
import Testing

/// The cost of a property in addition to its body.
@Suite("Cost", .serialized, .timeLimit(.minutes(10)))
struct CostTests {
    /// There are two baselines: the body with existing inputs, and the body with inputs from the same generator. The
    /// bound applies to the second. The test compares them within each of many rounds, because a busy machine is slower
    /// in some rounds, and takes the lower quartile, because either side may be interrupted.
    @Test func aHundredCasesCostAboutAHundredCalls() async {
        let generator = Gen.zip(Gen.int, Gen.int)
        var inputs: [(Int, Int)] = []
        _ = await falsify(generator, settings: .init(seed: 1)) { inputs.append($0) }
        let clock = ContinuousClock()
        var ratios: [(toCalls: Double, toGeneratedCalls: Double)] = []
        for _ in 0..<200 {
            let ready = clock.measure { for (a, b) in inputs { #expect(a + b == b + a) } }
            let made = clock.measure {
                for number in 0..<100 {
                    var source = Source(seed: UInt64(number), size: 1 + number)
                    guard let (a, b) = try? generator.run(&source) else { continue }
                    #expect(a + b == b + a)
                }
            }
            let property = await clock.measure { await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) } }
            ratios.append((property / ready, property / made))
        }
        let toCalls = ratios.map(\.toCalls).sorted()[50]
        let toGeneratedCalls = ratios.map(\.toGeneratedCalls).sorted()[50]
        print(
            """
            100 cases of a property take \(toCalls) times as long as 100 calls of its body, and \(toGeneratedCalls) times \
            as long as 100 calls with inputs that are generated.
            """)
        #expect(toGeneratedCalls < 2)
    }
}
