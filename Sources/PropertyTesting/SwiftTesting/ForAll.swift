import Testing

/// Checks in a test that a closure passes for 100 generated values.
///
/// ```swift
/// @Test func reversingTwiceChangesNothing() async {
///     await forAll(Gen.int.array()) { numbers in
///         #expect(Array(numbers.reversed().reversed()) == numbers)
///     }
/// }
/// ```
///
/// A case fails if an expectation in it fails, or if the body throws. Its input is then shrunk. A failed `#expect` or
/// `#require` is reported once, at its own line. Any other error that the body throws is reported at the line of the
/// call. The report contains the smallest failing input, and the trait that replays the case.
///
/// The property also fails in these cases:
///
/// - Too many inputs are discarded.
/// - Too few cases have a label that ``classify(_:_:atLeast:)`` requires.
/// - The task is cancelled, and a case fails afterwards. No input is reported then.
///
/// If the body cancels the test with `Test.cancel`, there is no failure, unless an expectation failed before.
///
/// An expectation that fails in a detached task belongs to no test and no property. It is reported without an input. So
/// is an expectation that fails in a task of the body after the last case has ended.
///
/// If the body traps, no input is printed. To reproduce a trap, set the environment variable `PROPERTY_SEED` to a
/// number: each run then tries the same inputs. If one run traps, the others trap at the same input.
///
/// The cases run one after another on the caller's actor. Traits and environment variables change their number; see
/// ``PropertyTrait`` and ``PropertySettings/current``.
///
/// Traps outside of a test, and in a task that does not belong to a test. Use ``falsify(_:examples:settings:_:)``
/// there.
///
/// - Parameters:
///   - generator: Generates the inputs.
///   - examples: Inputs that are tried before the generated ones, such as inputs that failed before. They are tried in
///     addition to the cases, and are not shrunk.
///   - isolation: The actor on which the cases run. The default is the caller's.
///   - sourceLocation: The line at which failures are reported, except failed expectations, which have lines of their
///     own. The default is the call.
///   - body: Checks an input with expectations, or throws an error for an input that does not pass.
public func forAll<Value>(
    _ generator: Gen<Value>,
    examples: [Value] = [],
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) (Value) async throws -> Void
) async {
    await check(generator, examples, sourceLocation, isolation: isolation, body)
}

/// Checks in a test that a closure passes for 100 tuples with one value of each generator.
///
/// ```swift
/// await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) }
/// ```
///
/// Failures, isolation and traps are those of `forAll` with one generator.
///
/// A function with several parameters cannot be passed as the body, because the body takes one tuple. To check such a
/// function, call it in a closure, as in `{ holds($0, $1) }`.
///
/// - Parameters:
///   - generators: Generate the elements of the inputs.
///   - examples: Inputs that are tried before the generated ones, in addition to the cases. They are not shrunk.
///   - isolation: The actor on which the cases run. The default is the caller's.
///   - sourceLocation: The line at which failures are reported, except failed expectations, which have lines of their
///     own. The default is the call.
///   - body: Checks an input with expectations, or throws an error for an input that does not pass.
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
