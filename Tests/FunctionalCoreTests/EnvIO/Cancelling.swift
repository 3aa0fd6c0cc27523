import FunctionalCore
import PropertyTesting
import TestSupport
import VirtualTime

/// A world for generated programs, with an executor of its own.
struct VirtualWorld {
    let scheduler: VirtualScheduler
    let world: ProgramWorld

    init(_ number: Int = 7, seed: UInt64? = nil) {
        scheduler = VirtualScheduler(seed: seed)
        world = ProgramWorld(number: number)
    }

    /// Runs `program`, cancels it after `turns` turns of the executor, and returns its outcome and its log.
    func trace<Value: Equatable & Sendable>(
        of program: EnvIO<ProgramWorld, ProgramFailure, Value>, cancelledAfter turns: Int? = nil
    ) throws -> ProgramTrace<Value> {
        let world = world
        let outcome = try scheduler.run {
            let run = Reporting.$isSilent.withValue(true) {
                Task(executorPreference: scheduler.executor) { await program.outcome(world) }
            }
            if let turns {
                for _ in 0..<turns { await Task.yield() }
                run.cancel()
            }
            return await run.value
        }
        return ProgramTrace(outcome: outcome, log: world.log.lines)
    }
}

/// The rests of the lines that begin with `start`.
func names(after start: String, in log: [String]) -> [String] {
    log.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
}

/// Returns a program that only logs `line`.
func writing(_ line: String) -> EnvIO<ProgramWorld, ProgramFailure, Void> {
    EnvIO<ProgramWorld, ProgramFailure, Void> { (world: ProgramWorld) throws(ProgramFailure) in
        world.log.append(line)
    }
}

/// Returns a program that suspends and logs `line`. If its task is cancelled, it logs that it was cut short.
func waitingAndWriting(_ line: String) -> EnvIO<ProgramWorld, ProgramFailure, Void> {
    EnvIO<ProgramWorld, ProgramFailure, Void> { (world: ProgramWorld) async throws(ProgramFailure) in
        await Task.yield()
        if Task.isCancelled { world.log.append("cut short") }
        await Task.yield()
        world.log.append(line)
    }
}
