import FunctionalCore

/// What generated programs run in: a number, and where they write what they do.
public struct ProgramWorld: Sendable {
    /// What programs read.
    public var number: Int
    /// Where programs write.
    public let log: EffectLog

    /// A world of its own, unless a log is shared.
    public init(number: Int, log: EffectLog = EffectLog()) {
        self.number = number
        self.log = log
    }
}

/// What generated programs fail with.
public struct ProgramFailure: Error, Equatable {
    /// Which failure it is.
    public var code: Int

    /// A failure with a code.
    public init(code: Int) {
        self.code = code
    }
}

/// How a program ended and what it did: two programs are the same where these are, in every world.
public struct ProgramTrace<Value: Equatable & Sendable>: Equatable, Sendable {
    /// How it ended.
    public var outcome: Outcome<Value, ProgramFailure>
    /// What it did.
    public var log: [String]

    /// What was seen of a run.
    public init(outcome: Outcome<Value, ProgramFailure>, log: [String]) {
        self.outcome = outcome
        self.log = log
    }
}

extension EnvIO where Environment == ProgramWorld, Failure == ProgramFailure, Value: Equatable & Sendable {
    /// Runs the program in a new world with this number, and answers how it ended and what it did.
    public func trace(_ number: Int) async -> ProgramTrace<Value> {
        let world = ProgramWorld(number: number)
        let outcome = await Reporting.$isSilent.withValue(true) { await self.outcome(world) }
        return ProgramTrace(outcome: outcome, log: world.log.lines)
    }
}
