import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("redeem, bimap and orElse", .timeLimit(.minutes(10)))
struct RedeemingTests {
    @Test func redeemTurnsBothOutcomesIntoValues() throws {
        let redeem = { (program: Step<String>) in
            program.redeem(recover: { "failed \($0.name)" }, map: { "has \($0)" }).setFailureType(to: Broken.self)
        }
        #expect(try World().outcome(of: redeem(step("a"))) == .value("has a"))
        #expect(try World().outcome(of: redeem(failing("b"))) == .value("failed b"))
        #expect(try World().outcome(of: redeem(.fail(Broken(name: "c")))) == .value("failed c"))
        #expect(try World().outcome(of: redeem(.cancelled)) == .cancelled)
    }

    @Test func aRedeemedProgramThatWaitsCanBeCancelled() {
        let world = World()
        let program = step("a").after(9).redeem(recover: { $0.name }, map: { $0 }).setFailureType(to: Broken.self)
        world.cancel(world.start(program))
        #expect(world.log.lines == ["0 ended as cancelled"])
    }

    @Test func redeemWithDoesNotRecoverFromTheSecondProgram() throws {
        let world = World()
        let program = step("a").redeemWith(recover: { step("recovered \($0.name)") }, bind: { failing("\($0)2") })
        #expect(try world.outcome(of: program) == .failure(Broken(name: "a2")))
        let other = failing("b").redeemWith(recover: { step("recovered \($0.name)") }, bind: { failing("\($0)2") })
        #expect(try world.outcome(of: other) == .value("recovered b"))
        #expect(world.log.lines == ["0 a", "0 a2", "0 b", "0 recovered b"])
    }

    @Test func redeemWithMayChangeBothTypes() throws {
        struct Other: Error, Equatable {}
        let program: EnvIO<World, Other, Int> = failing("a")
            .redeemWith(recover: { .pure($0.name.count) }, bind: { _ in .fail(Other()) })
        let world = World()
        #expect(try world.scheduler.run { await program.outcome(world) } == .value(1))
    }

    @Test func bimapTransformsTheValueOrTheFailure() throws {
        let bimap = { (program: Step<String>) in program.bimap({ Broken(name: $0.name + "!") }, { $0 + "?" }) }
        #expect(try World().outcome(of: bimap(step("a"))) == .value("a?"))
        #expect(try World().outcome(of: bimap(failing("b"))) == .failure(Broken(name: "b!")))
        #expect(try World().outcome(of: bimap(.cancelled)) == .cancelled)
    }

    @Test func orElseRunsTheOtherProgramOnlyAfterAFailure() throws {
        let world = World()
        #expect(try world.outcome(of: step("a").orElse(step("b"))) == .value("a"))
        #expect(try world.outcome(of: failing("c").orElse(step("d"))) == .value("d"))
        #expect(try world.outcome(of: failing("e").orElse(failing("f"))) == .failure(Broken(name: "f")))
        #expect(try world.outcome(of: Step<String>.cancelled.orElse(step("g"))) == .cancelled)
        #expect(world.log.lines == ["0 a", "0 c", "0 d", "0 e", "0 f"])
    }

    @Test func theTypeOfTheOtherProgramIsInferred() throws {
        #expect(try World().outcome(of: failing("a").orElse(.pure("b"))) == .value("b"))
        let total: EnvIO<World, Never, String> = failing("a").orElse(EnvIO<World, Never, String>.pure("b"))
        #expect(total.runSync(World()) == "b")
    }
}
