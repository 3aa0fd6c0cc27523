import FunctionalCore

/// The environment of generated programs.
public struct ProgramWorld: Sendable {
    /// The number that programs read.
    public var number: Int
    /// The log that programs write to.
    public let log: EffectLog

    /// Creates a world, by default with a new log.
    public init(number: Int, log: EffectLog = EffectLog()) {
        self.number = number
        self.log = log
    }
}

/// The failure of generated programs.
public struct ProgramFailure: Error, Equatable {
    /// The number that identifies the failure.
    public var code: Int

    /// Creates a failure with a code.
    public init(code: Int) {
        self.code = code
    }
}

/// The outcome of a program and the lines that it wrote.
///
/// Two programs are equal if their traces are equal for every world.
public struct ProgramTrace<Value: Equatable & Sendable>: Equatable, Sendable {
    /// The outcome of the program.
    public var outcome: Outcome<Value, ProgramFailure>
    /// The lines that the program wrote.
    public var log: [String]

    /// Creates a trace.
    public init(outcome: Outcome<Value, ProgramFailure>, log: [String]) {
        self.outcome = outcome
        self.log = log
    }
}

extension EnvIO where Environment == ProgramWorld, Failure == ProgramFailure, Value: Equatable & Sendable {
    /// Runs the program in a new ``ProgramWorld``, and returns the outcome and the lines that the program wrote.
    ///
    /// Failures of finalizers are not written to standard error during the run.
    ///
    /// - Parameter number: The number of the world.
    public func trace(_ number: Int) async -> ProgramTrace<Value> {
        let world = ProgramWorld(number: number)
        let outcome = await Reporting.$isSilent.withValue(true) { await self.outcome(world) }
        return ProgramTrace(outcome: outcome, log: world.log.lines)
    }
}
