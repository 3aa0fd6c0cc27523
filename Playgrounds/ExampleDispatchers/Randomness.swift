import Synchronization

/// The source of a die's numbers. It is a dependency, so that tests can repeat the numbers.
package struct Randomness: Sendable {
    package var number: @Sendable (ClosedRange<Int>) -> Int

    package init(number: @escaping @Sendable (ClosedRange<Int>) -> Int) {
        self.number = number
    }

    /// The system's generator.
    package static let system = Randomness { Int.random(in: $0) }

    /// Returns a generator that repeats its numbers for the same seed in each run of the program.
    package static func seeded(_ seed: UInt64) -> Randomness {
        let generator = Mutex(SplitMix64(state: seed))
        return Randomness { range in generator.withLock { Int.random(in: range, using: &$0) } }
    }
}

/// Sebastiano Vigna's generator for seeding other generators. It is short, and sufficient for dice.
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
