import Synchronization

/// Where dice get their luck from: a dependency, so that it can be repeated.
package struct Randomness: Sendable {
    package var number: @Sendable (ClosedRange<Int>) -> Int

    package init(number: @escaping @Sendable (ClosedRange<Int>) -> Int) {
        self.number = number
    }

    /// The system's generator.
    package static let system = Randomness { Int.random(in: $0) }

    /// The same numbers for the same seed, each time the program runs.
    package static func seeded(_ seed: UInt64) -> Randomness {
        let generator = Mutex(SplitMix64(state: seed))
        return Randomness { range in generator.withLock { Int.random(in: range, using: &$0) } }
    }
}

/// Sebastiano Vigna's generator for seeding others: short, and good enough for dice.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
