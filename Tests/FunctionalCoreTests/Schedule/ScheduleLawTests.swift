import FunctionalCore
import PropertyTesting
import Testing

/// Laws for generated schedules and inputs: `&&` and `||` form a distributive lattice with a one and a zero, and
/// `andThen` forms a monoid.
@Suite("Schedule: laws", .cases(300), .timeLimit(.minutes(10)))
struct ScheduleLawTests {
    @Test func bothAndEitherAreIdempotent() async {
        await expectEqual { x, _, _ in (x && x, x) }
        await expectEqual { x, _, _ in (x || x, x) }
    }

    @Test func bothAndEitherAreCommutative() async {
        await expectEqual { x, y, _ in (x && y, y && x) }
        await expectEqual { x, y, _ in (x || y, y || x) }
    }

    @Test func bothAndEitherAreAssociative() async {
        await expectEqual { x, y, z in ((x && y) && z, x && (y && z)) }
        await expectEqual { x, y, z in ((x || y) || z, x || (y || z)) }
    }

    @Test func bothAndEitherAbsorbEachOther() async {
        await expectEqual { x, y, _ in (x && (x || y), x) }
        await expectEqual { x, y, _ in (x || (x && y), x) }
    }

    @Test func bothAndEitherDistribute() async {
        await expectEqual { x, y, z in (x && (y || z), (x && y) || (x && z)) }
        await expectEqual { x, y, z in (x || (y && z), (x || y) && (x || z)) }
    }

    @Test func foreverIsTheTopAndRecursZeroTheBottom() async {
        await expectEqual { x, _, _ in (x && .forever, x) }
        await expectEqual { x, _, _ in (x || .forever, .forever) }
        await expectEqual { x, _, _ in (x || .recurs(0), x) }
        await expectEqual { x, _, _ in (x && .recurs(0), .recurs(0)) }
    }

    @Test func andThenIsAMonoid() async {
        await expectEqual { x, y, z in (x.andThen(y).andThen(z), x.andThen(y.andThen(z))) }
        await expectEqual { x, _, _ in (x.andThen(.recurs(0)), x) }
        await expectEqual { x, _, _ in (Schedule.recurs(0).andThen(x), x) }
    }

    @Test func limitsAreHomomorphisms() async {
        await expectEqual { x, y, _ in ((x && y).upTo(.seconds(9)), x.upTo(.seconds(9)) && y.upTo(.seconds(9))) }
        await expectEqual { x, y, _ in ((x || y).upTo(.seconds(9)), x.upTo(.seconds(9)) || y.upTo(.seconds(9))) }
        await expectEqual { x, y, _ in
            ((x && y).capped(at: .seconds(3)), x.capped(at: .seconds(3)) && y.capped(at: .seconds(3)))
        }
        await expectEqual { x, y, _ in
            ((x || y).whileInput { $0 > 3 }, x.whileInput { $0 > 3 } || y.whileInput { $0 > 3 })
        }
    }

    /// Checks that both sides return the same delays for the same inputs.
    private func expectEqual(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ sides: @escaping @Sendable (Schedule<Int>, Schedule<Int>, Schedule<Int>) -> (Schedule<Int>, Schedule<Int>)
    ) async {
        let plan = Gen.schedulePlan()
        await forAll(
            plan, plan, plan, Gen.int(in: 0...9).array(0...12), sourceLocation: sourceLocation
        ) { x, y, z, inputs in
            let (left, right) = sides(x.schedule, y.schedule, z.schedule)
            #expect(left.delays(for: inputs) == right.delays(for: inputs), sourceLocation: sourceLocation)
        }
    }
}
