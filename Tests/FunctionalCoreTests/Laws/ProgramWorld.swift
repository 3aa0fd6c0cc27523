import FunctionalCore
import TestSupport

/// The environment of generated programs.
struct ProgramWorld: Sendable {
    var number: Int
    var log = Log()
}

/// The failure of generated programs.
struct ProgramFailure: Error, Equatable {
    var code: Int
}

/// The outcome of a program and the lines that it wrote.
struct ProgramTrace<Value: Equatable & Sendable>: Equatable, Sendable {
    var outcome: Outcome<Value, ProgramFailure>
    var log: [String]
}

extension EnvIO where Environment == ProgramWorld, Failure == ProgramFailure, Value: Equatable & Sendable {
    /// Runs the program in a new world, and returns the outcome and the lines that the program wrote.
    ///
    /// Failures of finalizers are not written to standard error during the run.
    func trace(_ number: Int) async -> ProgramTrace<Value> {
        let world = ProgramWorld(number: number)
        let outcome = await Reporting.$isSilent.withValue(true) { await self.outcome(world) }
        return ProgramTrace(outcome: outcome, log: world.log.lines)
    }
}
