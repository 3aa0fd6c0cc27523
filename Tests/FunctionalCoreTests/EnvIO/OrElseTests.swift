import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("orElse and bimap", .timeLimit(.minutes(10)))
struct OrElseTests {
    private let world = World()

    @Test func aCancelledProgramIsNotReplaced() throws {
        let cancelled = Step<String>.cancelled
        for program in [cancelled.orElse(step("another")), cancelled.bimap({ $0 }, { $0 })] {
            #expect(try world.outcome(of: program) == .cancelled)
        }
        #expect(world.log.lines == [])
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
