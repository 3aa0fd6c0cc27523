import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("forever and timed", .timeLimit(.minutes(10)))
struct ForeverTests {
    private let world = World()

    @Test func itIsCancelledWhileItWaits() {
        let program = step("a").after(2).guarded("it", winding: 1).forever().setValueType(to: Int.self)
        #expect(
            lines(of: program, cancelledAfter: 4) == [
                "0 open it", "2 a", "3 close it", "3 open it", "5 close it", "5 ended as cancelled",
            ])
    }

    @Test func itIsCancelledBetweenStepsThatDoNotWait() throws {
        // The loop pauses now and then, so the other side of the race runs on the same executor.
        let turns = Guarded(0)
        let busy = Step<Void> { _ in turns.increment() }
        for loop in [busy, busy.flatMap { busy }] {
            let race = loop.forever().setValueType(to: String.self).race(step("won"))
            #expect(try World().outcome(of: race) == .value("won"))
        }
        #expect(turns.value > 0)
    }

    @Test func aProgramThatCancelsItselfEndsIt() throws {
        let program = Step<Int>.cancelled.forever().setValueType(to: Int.self)
        #expect(try world.outcome(of: program) == .cancelled)
        #expect(try world.outcome(of: program.uncancellable()) == .cancelled)
    }

    @Test func anUncancellableLoopEndsOnlyByAFailure() {
        let count = Guarded(0)
        let turn = step("a").after(2).flatMap { name in
            count.increment() == 2 ? Step<String>.fail(Broken(name: name)) : .pure(name)
        }
        let loop = turn.forever().setValueType(to: Int.self).uncancellable()
        #expect(lines(of: loop) == ["2 a", "4 a", "4 ended as Broken a"])
    }

    @Test func aFailedProgramIsNotTimed() throws {
        let clock = world.scheduler.clock
        let failed = failing("a").timed(clock: clock).map(\.value)
        #expect(try world.outcome(of: failed) == .failure(Broken(name: "a")))
        #expect(EnvIO<Void, Never, Int>.pure(1).timed(clock: clock).runSync() == (.zero, 1))
    }
}
