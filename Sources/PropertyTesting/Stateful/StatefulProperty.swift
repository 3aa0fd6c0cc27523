import VirtualTime

/// A stateful thing, and a model that says what it should answer to commands.
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
/// Where `Response` is `Void`, or else not `Equatable`, say `by:` when two answers are the same.
///
/// ``forAll(commands:count:of:isolation:sourceLocation:)`` runs lists of commands one after the other;
/// ``forAll(interleaved:branches:of:isolation:sourceLocation:)`` runs several lists at once.
public struct StatefulProperty<Command: Sendable, Model, System: Sendable, Response: Sendable>: Sendable {
    let start: @Sendable (VirtualClock) -> (Model, System)
    let isTimed: Bool
    let expected: @Sendable (Command, inout Model) -> Response
    let actual: @Sendable (Command, System) async throws -> Response
    let isEqual: @Sendable (Response, Response) -> Bool
    let isPossible: @Sendable (Command, Model) -> Bool

    /// A property of a stateful thing.
    ///
    /// - Parameters:
    ///   - model: What the model is at the beginning.
    ///   - system: Makes the thing to test, a new one for each list of commands and for each order.
    ///   - isPossible: Whether a command may come, with the model as it is; commands that may not are left out. Between
    ///     interleaved commands this is not asked.
    ///   - expected: Changes the model, and answers what the thing should answer.
    ///   - actual: Gives the command to the thing, and answers its answer.
    ///   - isEqual: Whether two answers are the same.
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

    /// A property of a stateful thing that sleeps: `system` makes it with the clock to sleep on.
    ///
    /// The clock is advanced to the next deadline when all tasks sleep. Between interleaved commands it may also be
    /// advanced while tasks are ready. Commands that run one after the other run in virtual time, too, as
    /// `VirtualScheduler.run` says.
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

    /// A property of a stateful thing whose answers are compared by `==`.
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

    /// A property of a stateful thing that sleeps, whose answers are compared by `==`; `system` makes it with the clock
    /// to sleep on.
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
    /// Runs commands one after the other, on the thing and on the model.
    func run(_ commands: [Command]) async throws {
        let scheduler = VirtualScheduler()
        guard isTimed else { return try await run(commands, clock: scheduler.clock) }
        try scheduler.run { try await run(commands, clock: scheduler.clock) }
    }

    private func run(_ commands: [Command], clock: VirtualClock) async throws {
        var (model, system) = start(clock)
        for (index, command) in commands.enumerated() where isPossible(command, model) {
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
    }

    /// Looks for a list of commands after which the thing answers otherwise than the model, and makes it short.
    ///
    /// Needs no test run; see ``falsify(_:examples:settings:_:)``.
    nonisolated(nonsending) public func falsify(
        commands: Gen<Command>, count: ClosedRange<Int>? = nil, settings: PropertySettings = .current
    ) async -> Falsified? {
        await PropertyTesting.falsify(commands.array(count), settings: settings) { try await run($0) }
    }

    /// Looks for lists of commands which, run at once in some order, answer what no order of them could answer one
    /// after the other, and makes them short.
    ///
    /// Needs no test run; see ``forAll(interleaved:branches:of:isolation:sourceLocation:)``.
    nonisolated(nonsending) public func falsify(
        interleaved commands: Gen<Command>, branches: Int = 2, settings: PropertySettings = .current
    ) async -> Falsified? {
        await PropertyTesting.falsify(Interleaving.gen(of: commands, branches: branches), settings: settings) {
            try run($0)
        }
    }
}
