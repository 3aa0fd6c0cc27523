import PropertyTesting
import Testing

/// The cost of a property in addition to its body.
@Suite("Cost", .serialized, .timeLimit(.minutes(10)))
struct CostTests {
    /// There are two baselines: the body with existing inputs, and the body with inputs from the same generator. The
    /// bound applies to the second. The test compares the best of many rounds, and leaves room for a busy machine.
    @Test func aHundredCasesCostAboutAHundredCalls() async {
        let generator = Gen.zip(Gen.int, Gen.int)
        var inputs: [(Int, Int)] = []
        _ = await falsify(generator, settings: .init(seed: 1)) { inputs.append($0) }
        let clock = ContinuousClock()
        var (ready, made, property) = (Duration.seconds(9), Duration.seconds(9), Duration.seconds(9))
        for _ in 0..<200 {
            ready = min(ready, clock.measure { for (a, b) in inputs { #expect(a + b == b + a) } })
            made = min(
                made,
                clock.measure {
                    for number in 0..<100 {
                        var source = Source(seed: UInt64(number), size: 1 + number)
                        guard let (a, b) = try? generator.run(&source) else { continue }
                        #expect(a + b == b + a)
                    }
                })
            property = min(
                property,
                await clock.measure { await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) } })
        }
        print(
            """
            100 cases of a property: \(property); 100 calls of its body: \(ready), ratio \(property / ready); \
            100 calls with inputs that are generated: \(made), ratio \(property / made)
            """)
        #expect(property < made * 2)
    }
}
