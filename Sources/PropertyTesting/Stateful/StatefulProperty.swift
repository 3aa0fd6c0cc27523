import FunctionalCore
import VirtualTime

/// A property that compares the responses of a system with state to those of a model.
///
/// The system is the code to test, such as an actor. The model is a simple value. For each command, `expected` changes
/// the model and returns the correct response, and `actual` returns the response of the system. The property holds if
/// the responses are equal.
///
/// ```swift
/// let stack = StatefulProperty(
///     model: [Int](),
///     system: { Stack() },
///     expected: { command, numbers in
///         switch command {
///         case .push(let number): numbers.append(number); return nil
///         case .pop: return numbers.popLast()
///         }
///     },
///     actual: { command, stack in
///         switch command {
///         case .push(let number): await stack.push(number); return nil
///         case .pop: return await stack.pop()
///         }
///     }
/// )
/// ```
///
/// If `Response` is not `Equatable`, for example if it is `Void`, pass the argument `by`, a closure that compares two
/// responses.
///
/// ``forAll(commands:count:of:isolation:sourceLocation:)`` runs a list of commands one after another.
/// ``forAll(interleaved:branches:of:isolation:sourceLocation:)`` runs several lists concurrently.
public struct StatefulProperty<Command: Sendable, Model, System: Sendable, Response: Sendable>: Sendable {
    let start: @Sendable (VirtualClock) -> (Model, System)
    let isTimed: Bool
    let expected: @Sendable (Command, inout Model) -> Response
    let actual: @Sendable (Command, System) async throws -> Response
    let isEqual: @Sendable (Response, Response) -> Bool
    let isPossible: @Sendable (Command, Model) -> Bool

    /// Creates a property of a system whose responses are compared by a closure.
    ///
    /// - Parameters:
    ///   - model: The initial model.
    ///   - system: Creates the system. The closure is called for each list of commands, and for each order of
    ///     interleaved commands.
    ///   - isPossible: Returns whether a command is valid for the current model. Other commands are skipped. The
    ///     closure is not called for interleaved commands.
    ///   - expected: Changes the model, and returns the expected response.
    ///   - actual: Runs the command on the system, and returns its response. If it throws, the property fails.
    ///   - isEqual: Returns whether two responses are equal.
    public init(
        model: @escaping @Sendable @autoclosure () -> Model,
        system: @escaping @Sendable () -> System,
        isPossible: @escaping @Sendable (Command, Model) -> Bool = { _, _ in true },
        expected: @escaping @Sendable (Command, inout Model) -> Response,
        actual: @escaping @Sendable (Command, System) async throws -> Response,
        by isEqual: @escaping @Sendable (Response, Response) -> Bool
    ) {
        start = { _ in (model(), system()) }
        isTimed = false
        self.isPossible = isPossible
        self.expected = expected
        self.actual = actual
        self.isEqual = isEqual
    }

    /// Creates a property that compares responses by a closure, for a system that sleeps on a clock.
    ///
    /// The clock is advanced to the next deadline when all tasks sleep. While interleaved commands run, it may also be
    /// advanced while tasks are ready to continue, as if these tasks were slow. Commands that run one after another
    /// also run in virtual time, in a call of `VirtualScheduler.run`. If the system then waits for anything but its own
    /// tasks and the clock, the case fails with `VirtualScheduler.Stalled`.
    ///
    /// - Parameters:
    ///   - model: The initial model.
    ///   - system: Creates the system with the clock that it sleeps on. The closure is called for each list of
    ///     commands, and for each order of interleaved commands.
    ///   - isPossible: Returns whether a command is valid for the current model. Other commands are skipped. The
    ///     closure is not called for interleaved commands.
    ///   - expected: Changes the model, and returns the expected response.
    ///   - actual: Runs the command on the system, and returns its response. If it throws, the property fails.
    ///   - isEqual: Returns whether two responses are equal.
    public init(
        model: @escaping @Sendable @autoclosure () -> Model,
        system: @escaping @Sendable (VirtualClock) -> System,
        isPossible: @escaping @Sendable (Command, Model) -> Bool = { _, _ in true },
        expected: @escaping @Sendable (Command, inout Model) -> Response,
        actual: @escaping @Sendable (Command, System) async throws -> Response,
        by isEqual: @escaping @Sendable (Response, Response) -> Bool
    ) {
        start = { clock in (model(), system(clock)) }
        isTimed = true
        self.isPossible = isPossible
        self.expected = expected
        self.actual = actual
        self.isEqual = isEqual
    }

    /// Creates a property of a system whose responses are compared by `==`.
    ///
    /// - Parameters:
    ///   - model: The initial model.
    ///   - system: Creates the system. The closure is called for each list of commands, and for each order of
    ///     interleaved commands.
    ///   - isPossible: Returns whether a command is valid for the current model. Other commands are skipped. The
    ///     closure is not called for interleaved commands.
    ///   - expected: Changes the model, and returns the expected response.
    ///   - actual: Runs the command on the system, and returns its response. If it throws, the property fails.
    public init(
        model: @escaping @Sendable @autoclosure () -> Model,
        system: @escaping @Sendable () -> System,
        isPossible: @escaping @Sendable (Command, Model) -> Bool = { _, _ in true },
        expected: @escaping @Sendable (Command, inout Model) -> Response,
        actual: @escaping @Sendable (Command, System) async throws -> Response
    ) where Response: Equatable & SendableMetatype {
        self.init(
            model: model(), system: system, isPossible: isPossible, expected: expected, actual: actual,
            by: { $0 == $1 })
    }

    /// Creates a property that compares responses by `==`, for a system that sleeps on a clock.
    ///
    /// The clock is advanced to the next deadline when all tasks sleep. While interleaved commands run, it may also be
    /// advanced while tasks are ready to continue, as if these tasks were slow. Commands that run one after another
    /// also run in virtual time, in a call of `VirtualScheduler.run`. If the system then waits for anything but its own
    /// tasks and the clock, the case fails with `VirtualScheduler.Stalled`.
    ///
    /// - Parameters:
    ///   - model: The initial model.
    ///   - system: Creates the system with the clock that it sleeps on. The closure is called for each list of
    ///     commands, and for each order of interleaved commands.
    ///   - isPossible: Returns whether a command is valid for the current model. Other commands are skipped. The
    ///     closure is not called for interleaved commands.
    ///   - expected: Changes the model, and returns the expected response.
    ///   - actual: Runs the command on the system, and returns its response. If it throws, the property fails.
    public init(
        model: @escaping @Sendable @autoclosure () -> Model,
        system: @escaping @Sendable (VirtualClock) -> System,
        isPossible: @escaping @Sendable (Command, Model) -> Bool = { _, _ in true },
        expected: @escaping @Sendable (Command, inout Model) -> Response,
        actual: @escaping @Sendable (Command, System) async throws -> Response
    ) where Response: Equatable & SendableMetatype {
        self.init(
            model: model(), system: system, isPossible: isPossible, expected: expected, actual: actual,
            by: { $0 == $1 })
    }
}

extension StatefulProperty {
    /// Runs commands one after another on the system and on the model, and throws if their responses differ.
    func run(_ commands: [Command]) async throws {
        let scheduler = VirtualScheduler()
        guard isTimed else { return try await run(commands, clock: scheduler.clock) }
        try scheduler.run { try await run(commands, clock: scheduler.clock) }
    }

    private func run(_ commands: [Command], clock: VirtualClock) async throws {
        var (model, system) = start(clock)
        var isIdle = true
        for (index, command) in commands.enumerated() where isPossible(command, model) {
            isIdle = false
            let wanted = expected(command, &model)
            let answer = try await actual(command, system)
            guard isEqual(answer, wanted) else {
                throw Unmet(
                    """
                    Step \(index + 1): \(Printed.excerpt(of: command)) returned \(Printed.excerpt(of: answer)) \
                    instead of \(Printed.excerpt(of: wanted)).
                    """
                )
            }
        }
        if isIdle { Labels.current?.noteIdleCase() }
    }

    /// Searches for a list of commands to which the system and the model respond differently, and shrinks it.
    ///
    /// Needs no running test; see ``falsify(_:examples:settings:_:)``.
    ///
    /// - Parameters:
    ///   - commands: Generates the commands.
    ///   - count: The possible numbers of commands. By default, there are at most as many commands as the
    ///     ``Source/size``.
    ///   - settings: The number of cases and other settings. By default, those of the running test.
    /// - Returns: The failure, or `nil` if all cases passed.
    nonisolated(nonsending) public func falsify(
        commands: Gen<Command>, count: ClosedRange<Int>? = nil, settings: PropertySettings = .current
    ) async -> Falsified? {
        await PropertyTesting.falsify(commands.array(count), settings: settings) { try await run($0) }
    }

    /// Searches for lists of commands to which the system responds incorrectly if they run concurrently, and shrinks
    /// them.
    ///
    /// The responses are correct if the model returns the same ones for the commands in some sequential order.
    ///
    /// Needs no running test; see ``forAll(interleaved:branches:of:isolation:sourceLocation:)``.
    ///
    /// - Parameters:
    ///   - commands: Generates the commands.
    ///   - branches: The number of lists that run concurrently. Traps if it is negative or greater than 100.
    ///   - settings: The number of cases and other settings. By default, those of the running test.
    /// - Returns: The failure, or `nil` if all cases passed.
    nonisolated(nonsending) public func falsify(
        interleaved commands: Gen<Command>, branches: Int = 2, settings: PropertySettings = .current
    ) async -> Falsified? {
        await PropertyTesting.falsify(Interleaving.gen(of: commands, branches: branches), settings: settings) {
            try run($0)
        }
    }
}
