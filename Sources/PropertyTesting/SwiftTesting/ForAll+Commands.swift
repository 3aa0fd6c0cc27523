import Testing

/// Checks that a stateful thing answers lists of commands as its model does; in a test.
///
/// ```swift
/// await forAll(commands: Gen.oneOf(Gen.int.map(Command.push), Gen.always(.pop)), of: stack)
/// ```
///
/// What fails is a short list of commands; see `forAll` for the rest.
public func forAll<Command, Model, System, Response>(
    commands: Gen<Command>,
    count: ClosedRange<Int>? = nil,
    of property: StatefulProperty<Command, Model, System, Response>,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    await check(commands.array(count), [], sourceLocation, isolation: isolation) { try await property.run($0) }
}

/// Checks that a stateful thing, given lists of commands at once, answers as if they had come in some order one after
/// the other; in a test.
///
/// In half of the cases, a few commands first bring the thing into some state. Then each branch gives its own, in its own
/// task, in virtual time. The task that continues at each `await` is part of the input, and so is whether time advances to
/// the next deadline while tasks are ready. The order is made simple when it fails, and is replayed. Each case runs its
/// commands in up to four orders, each with a new system.
///
/// ```swift
/// await forAll(interleaved: Gen.oneOf(Gen.always(.increment), Gen.always(.read)), of: counter)
/// ```
///
/// The thing must wait for nothing but what its own tasks do: actors, continuations, task groups, and the clock that it
/// is made with, if it is; a thing that waits for something else fails as `VirtualScheduler.Stalled`.
///
/// After a failure all orders are compared, so that the branches are short: up to four commands each for two branches,
/// three for three, two for four, and one for more.
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
