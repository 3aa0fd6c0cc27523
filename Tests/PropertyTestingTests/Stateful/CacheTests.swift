import PropertyTesting
import Testing

/// The default number of cases finds a stale read with every seed.
@Suite("Interleavings of a cache", .timeLimit(.minutes(10)))
struct CacheTests {
    typealias CacheProperty = StatefulProperty<CacheCommand, [Int: Int], any Cache, Int>

    /// A cache whose reads take time, and one whose reads take turns of the executor.
    private static let staleCaches = [
        CacheProperty.cache { clock in StaleCache(Table(clock: clock)) },
        CacheProperty.cache { _ in StaleCache(Table()) },
    ]

    @Test(arguments: [2, 3], 0..<20 as Range<UInt64>)
    func aStaleReadIsFoundAndReplayed(_ branches: Int, _ seed: UInt64) async throws {
        // Shrinking takes most of the time, so the test shrinks only some counterexamples.
        let isShrunk = seed < 4 || seed == 11
        let settings = PropertySettings(seed: seed, shrinkTries: isShrunk ? 2_000 : 0)
        for property in Self.staleCaches {
            let found = try #require(
                await property.falsify(interleaved: CacheCommand.gen, branches: branches, settings: settings))
            let counterexample = try #require(found.counterexample)
            if isShrunk { #expect(counterexample.count { $0 == "." } <= 6, "\(counterexample)") }
            let replay = try #require(found.replay)
            let again = await property.falsify(
                interleaved: CacheCommand.gen, branches: branches,
                settings: .init(cases: 0, replay: replay, shrinkTries: 0))
            #expect(again?.firstSeen == found.firstSeen)
        }
    }

    @Test(arguments: [2, 3], 0..<20 as Range<UInt64>)
    func aRightCacheIsNeverFalsified(_ branches: Int, _ seed: UInt64) async {
        let timed = CacheProperty.cache { clock in FreshCache(Table(clock: clock)) }
        let untimed = CacheProperty.cache { _ in FreshCache(Table()) }
        for property in [timed, untimed] {
            let found = await property.falsify(
                interleaved: CacheCommand.gen, branches: branches, settings: .init(seed: seed))
            #expect(found == nil, "\(String(describing: found))")
        }
    }

    @Test func aReplayShrinksToTheSameCounterexample() async throws {
        let property = Self.staleCaches[0]
        let found = try #require(await property.falsify(interleaved: CacheCommand.gen, settings: .init(seed: 3)))
        let again = await property.falsify(
            interleaved: CacheCommand.gen, settings: .init(cases: 0, replay: found.replay))
        #expect(again?.counterexample == found.counterexample)
        #expect(again?.message == found.message)
    }
}
