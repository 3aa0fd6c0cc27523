import FunctionalCore
import Synchronization
import TestSupport
import Testing
import VirtualTime

@Suite("forever and timed", .timeLimit(.minutes(10)))
struct ForeverTests {
    @Test func itIsCancelledWhileItWaits() {
        let world = World()
        let task = world.start(step("a").after(2).guarded("it", winding: 1).forever().setValueType(to: Int.self))
        world.scheduler.advance(by: .seconds(4))
        world.cancel(task)
        world.scheduler.advance(by: .seconds(9))
        #expect(
            world.log.lines == [
                "0 open it", "2 a", "3 close it", "3 open it", "5 close it", "5 ended as cancelled",
            ])
    }

    @Test func itIsCancelledBetweenStepsThatDoNotWait() throws {
        // The loop pauses now and then, so the other side of the race runs on the same executor.
        let turns = Ref(0)
        let busy = Step<Void> { _ in turns.modify { $0 += 1 } }
        let race = busy.forever().setValueType(to: String.self).race(step("won"))
        #expect(try World().outcome(of: race) == .value("won"))
        let nodes = busy.flatMap { busy }.forever().setValueType(to: String.self).race(step("won"))
        #expect(try World().outcome(of: nodes) == .value("won"))
        #expect(turns.get() > 0)
    }

    @Test func aProgramThatCancelsItselfEndsIt() throws {
        let program = Step<Int>.cancelled.forever().setValueType(to: Int.self)
        #expect(try World().outcome(of: program) == .cancelled)
        #expect(try World().outcome(of: program.uncancellable()) == .cancelled)
    }

    @Test func anUncancellableLoopEndsOnlyByAFailure() {
        let world = World()
        let count = Ref(0)
        let turn = step("a").after(2).flatMap { name in
            count.modify { count in
                count += 1
                return count
            } == 2 ? Step<String>.fail(Broken(name: name)) : .pure(name)
        }
        let task = world.start(turn.forever().setValueType(to: Int.self).uncancellable())
        world.cancel(task)
        world.scheduler.advance(by: .seconds(9))
        #expect(world.log.lines == ["2 a", "4 a", "4 ended as Broken a"])
    }

    @Test func aFailedProgramIsNotTimed() throws {
        let world = World()
        let clock = world.scheduler.clock
        let failed = failing("a").timed(clock: clock).map(\.value)
        #expect(try world.outcome(of: failed) == .failure(Broken(name: "a")))
        #expect(EnvIO<Void, Never, Int>.pure(1).timed(clock: clock).runSync() == (.zero, 1))
    }
}
