import PropertyTesting
import Testing

/// What a property costs beyond its body. Printed, not judged: machines differ.
@Suite("Cost", .serialized)
struct CostTests {
    @Test func aHundredCasesCostAboutAHundredCalls() async {
        var numbers: [(Int, Int)] = []
        _ = await falsify(Gen.zip(Gen.int, Gen.int), settings: .init(seed: 1)) { numbers.append($0) }
        let clock = ContinuousClock()
        var best = (calls: Duration.seconds(9), property: Duration.seconds(9))
        for _ in 0..<20 {
            best.calls = min(best.calls, clock.measure { for (a, b) in numbers { #expect(a + b == b + a) } })
            best.property = min(
                best.property,
                await clock.measure { await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) } })
        }
        var settings = PropertySettings(cases: 10_000)
        let many = await clock.measure { _ = await falsify(Gen.zip(Gen.int, Gen.int), settings: settings) { _ in } }
        settings.cases = 0
        let none = await clock.measure { _ = await falsify(Gen.zip(Gen.int, Gen.int), settings: settings) { _ in } }
        print(
            """
            100 cases of a property: \(best.property), 100 calls of its body: \(best.calls), \
            ratio \(best.property / best.calls); a case without a body: \(many / 10_000), a property without cases: \(none)
            """)
    }
}
