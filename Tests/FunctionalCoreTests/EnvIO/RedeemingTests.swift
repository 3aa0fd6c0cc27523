import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("redeem and orElse", .timeLimit(.minutes(10)))
struct RedeemingTests {
    private let world = World()

    @Test func aRedeemedProgramThatWaitsCanBeCancelled() {
        let program = step("a").after(9).redeem(recover: { $0.name }, map: { $0 }).setFailureType(to: Broken.self)
        #expect(lines(of: program) == ["0 ended as cancelled"])
    }

    @Test func aCancelledProgramIsNeitherRedeemedNorReplaced() throws {
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
        #expect(try world.scheduler.run { await program.outcome(world) } == .value(1))
    }

    @Test func theTypeOfTheOtherProgramIsInferred() throws {
        #expect(try world.outcome(of: failing("a").orElse(.pure("b"))) == .value("b"))
    }

    @Test func handlersWithTheSameFailureTypeNeedNoAnnotation() throws {
        let failing = EnvIO<Void, any Error, Int>.fail(Broken())
        #expect(try failing.handleErrorWith { _ in .pure(1) }.runSync() == 1)
        #expect(try failing.retry(.recurs(1), orElse: { _ in .pure(2) }).runSync() == 2)
        #expect(throws: Broken(name: "again")) {
            try failing.handleErrorWith { _ in .fail(Broken(name: "again")) }.runSync()
        }
    }
}
