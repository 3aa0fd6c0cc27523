import Testing

/// Checks in a test that a system responds to lists of commands as its model does.
///
/// ```swift
/// await forAll(commands: Gen.oneOf(Gen.int.map(Command.push), Gen.always(.pop)), of: stack)
/// ```
///
/// A counterexample is a short list of commands. Isolation, failures and traps are those of `forAll`. The property also
/// fails if no command runs, for example because none is valid for the initial model.
///
/// - Parameters:
///   - commands: Generates the commands.
///   - count: The possible numbers of commands. By default, there are at most as many commands as the ``Source/size``.
///   - property: The system and its model.
///   - isolation: The actor on which the commands run. The default is the caller's.
///   - sourceLocation: The line at which failures are reported, except failed expectations, which have lines of their
///     own. The default is the call.
public func forAll<Command, Model, System, Response>(
    commands: Gen<Command>,
    count: ClosedRange<Int>? = nil,
    of property: StatefulProperty<Command, Model, System, Response>,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    await check(commands.array(count), [], sourceLocation, isolation: isolation) { try await property.run($0) }
}

/// Checks in a test that a system responds correctly to lists of commands that run concurrently.
///
/// The responses are correct if the model returns the same ones for the commands in some sequential order. In this
/// order, each command comes after the earlier commands of its list.
///
/// In half of the cases, a few commands run first and change the state of the system. Then each branch runs its own
/// list of commands, in a task of its own and in virtual time.
///
/// The generated input contains the lists and the orders in which their tasks continue at each `await`. An order also
/// determines whether the clock is advanced to the next deadline while tasks are ready to continue. So the property can
/// shrink and replay an order in which the responses are incorrect. A case has up to four orders. It runs its commands
/// once in each order, with a new system.
///
/// ```swift
/// await forAll(interleaved: Gen.oneOf(Gen.always(.increment), Gen.always(.read)), of: counter)
/// ```
///
/// The system must wait only for its own tasks, and for the clock with which it is created, if any. It may use actors,
/// continuations and task groups. If it waits for anything else, the case fails with `VirtualScheduler.Stalled`.
///
/// - Complexity: Exponential in the number of commands, because their responses are compared with all sequential
///   orders. The branches are therefore short. Two branches have at most four commands each, and three branches at most
///   three. Four branches have at most two commands each, and more branches at most one.
/// - Parameters:
///   - commands: Generates the commands.
///   - branches: The number of lists that run concurrently. Traps if it is negative or greater than 100.
///   - property: The system and its model.
///   - isolation: The actor on which the cases run. The default is the caller's.
///   - sourceLocation: The line at which failures are reported, except failed expectations, which have lines of their
///     own. The default is the call.
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
