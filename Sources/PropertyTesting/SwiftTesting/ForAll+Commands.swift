import Testing

/// Checks in a test that a system responds to lists of commands as its model does.
///
/// ```swift
/// await forAll(commands: Gen.oneOf(Gen.int.map(Command.push), Gen.always(.pop)), of: stack)
/// ```
///
/// A counterexample is a short list of commands. Isolation, failures and traps are those of `forAll`.
///
/// - Parameters:
///   - commands: Generates the commands.
///   - count: The possible numbers of commands. By default, there are at most as many as the size.
///   - property: The system and its model.
///   - isolation: The actor on which the commands run. The default is the caller's.
///   - sourceLocation: The line at which a failure is reported if it has no line of its own.
public func forAll<Command, Model, System, Response>(
    commands: Gen<Command>,
    count: ClosedRange<Int>? = nil,
    of property: StatefulProperty<Command, Model, System, Response>,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    await check(commands.array(count), [], sourceLocation, isolation: isolation) { try await property.run($0) }
}

/// Checks in a test that a system responds to concurrent lists of commands as it would in some sequential order.
///
/// In half of the cases, a few commands run first and change the state of the system. Then each branch runs its own
/// list of commands, in a task of its own and in virtual time. The input determines the task that continues at each
/// `await`. It also determines whether time advances to the next deadline while tasks are ready. So an order that fails
/// is shrunk, and can be replayed. Each case runs its commands in up to four orders, each with a new system.
///
/// ```swift
/// await forAll(interleaved: Gen.oneOf(Gen.always(.increment), Gen.always(.read)), of: counter)
/// ```
///
/// The system must wait only for its own tasks, and for the clock with which it is created, if any. It may use actors,
/// continuations and task groups. If it waits for anything else, the case fails with `VirtualScheduler.Stalled`.
///
/// - Complexity: Exponential in the number of commands, because their responses are compared with all sequential
///   orders. The branches are therefore short: up to four commands each for two branches, three for three, two for
///   four, and one for more.
/// - Parameters:
///   - commands: Generates the commands.
///   - branches: The number of lists that run concurrently.
///   - property: The system and its model.
///   - isolation: The actor on which the cases run. The default is the caller's.
///   - sourceLocation: The line at which a failure is reported if it has no line of its own.
public func forAll<Command, Model, System, Response>(
    interleaved commands: Gen<Command>,
    branches: Int = 2,
    of property: StatefulProperty<Command, Model, System, Response>,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    let generator = Interleaving.gen(of: commands, branches: branches)
    await check(generator, [], sourceLocation, isolation: isolation) { try property.run($0) }
}
