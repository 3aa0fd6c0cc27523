import Testing

/// Checks that `body` passes for 100 values of `generator`; in a test.
///
/// ```swift
/// @Test func reversingTwiceChangesNothing() async {
///     await forAll(Gen.int.array()) { numbers in
///         #expect(Array(numbers.reversed().reversed()) == numbers)
///     }
/// }
/// ```
///
/// A case fails when an expectation in it fails, or when it throws. It is then made small, and what fails is reported
/// once, at its own line, with the smallest input and the line that replays it. The property also fails when too many
/// inputs are discarded, when a label of ``classify(_:_:atLeast:)`` came up too seldom, and when its task was cancelled
/// and a case failed then, which is reported without an input.
///
/// A detached task belongs to no test, and so to no property: what fails in one is reported by itself, without an
/// input. A body that stops the process, by a trap, prints no input either; run with `PROPERTY_SEED=1` set, it stops at
/// the same input each time. A test that the body cancels by `Test.cancel` has no failure.
///
/// Runs on the caller's actor, one case after the other. Traits and environment variables say how many cases; see
/// ``PropertyTrait`` and ``PropertySettings/current``. Outside a test, and in a task that does not belong to one, it
/// stops the process with a message: use ``falsify(_:examples:settings:_:)`` there.
///
/// - Parameters:
///   - generator: Makes the inputs.
///   - examples: Inputs that are tried first, each time: those that failed once, or that people think of.
///   - isolation: The actor to run on: the caller's.
///   - sourceLocation: Where a failure is reported that has no line of its own: at the call.
///   - body: What should hold for each input.
public func forAll<Value>(
    _ generator: Gen<Value>,
    examples: [Value] = [],
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) (Value) async throws -> Void
) async {
    await check(generator, examples, sourceLocation, isolation: isolation, body)
}

/// Checks that `body` passes for 100 values of each generator; see `forAll`.
///
/// ```swift
/// await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) }
/// ```
///
/// A function with several parameters is called in a closure, `{ holds($0, $1) }`: by its name alone it has another
/// type than the body, which takes one tuple.
@inlinable
public func forAll<each Value>(
    _ generators: repeat Gen<each Value>,
    examples: [(repeat each Value)] = [],
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) ((repeat each Value)) async throws -> Void
) async {
    await check(
        Gen<(repeat each Value)>.zip(repeat each generators), examples, sourceLocation, isolation: isolation, body)
}
