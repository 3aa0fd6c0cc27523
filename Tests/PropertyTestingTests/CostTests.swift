import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// The cost of a property in addition to its body.
@Suite("Cost", .timeLimit(.minutes(10)))
struct CostTests {
    @Test("A case of a property takes at most ten steps more than a call with a generated input", .countsSteps)
    func cases() {
        let generator = Gen.zip(Gen.int, Gen.int)
        func calls() -> Int {
            steps {
                for number in 0..<100 {
                    var source = Source(seed: UInt64(number), size: 1 + number)
                    guard let (a, b) = try? generator.run(&source) else { continue }
                    #expect(a + b == b + a)
                }
            }
        }
        func property() -> Int {
            // On the calling thread.
            steps {
                try? VirtualScheduler().run { await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) } }
            }
        }
        // A second generation of the inputs would cost more.
        #expect(least(property) - least(calls) < 1_000)
    }
}
