import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("redeem and orElse", .timeLimit(.minutes(10)))
struct RedeemingTests {
    @Test func aRedeemedProgramThatWaitsCanBeCancelled() {
        let world = World()
        let program = step("a").after(9).redeem(recover: { $0.name }, map: { $0 }).setFailureType(to: Broken.self)
        world.cancel(world.start(program))
        #expect(world.log.lines == ["0 ended as cancelled"])
    }

    @Test func aCancelledProgramIsNeitherRedeemedNorReplaced() throws {
        let world = World()
        let cancelled = Step<String>.cancelled
        for program in [
            cancelled.orElse(step("another")), cancelled.bimap({ $0 }, { $0 }),
            cancelled.redeem(recover: { $0.name }, map: { $0 }).setFailureType(to: Broken.self),
        ] {
            #expect(try world.outcome(of: program) == .cancelled)
        }
        #expect(world.log.lines == [])
    }

    @Test func redeemWithMayChangeBothTypes() throws {
        struct Other: Error, Equatable {}
        let program: EnvIO<World, Other, Int> = failing("a")
            .redeemWith(recover: { .pure($0.name.count) }, bind: { _ in .fail(Other()) })
        let world = World()
        #expect(try world.scheduler.run { await program.outcome(world) } == .value(1))
    }

    @Test func theTypeOfTheOtherProgramIsInferred() throws {
        #expect(try World().outcome(of: failing("a").orElse(.pure("b"))) == .value("b"))
    }
}
