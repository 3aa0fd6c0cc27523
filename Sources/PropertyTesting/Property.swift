import Testing

/// A generator and a check of the generated values.
///
/// A property can be stored, and passed to functions.
///
/// ```swift
/// let commutes = Property(Gen.zip(Gen.int, Gen.int)) { a, b in try require(a + b == b + a, "\(a + b)") }
/// await commutes.check()               // in a test
/// let found = await commutes.falsify() // anywhere
/// ```
public struct Property: Sendable {
    let search: nonisolated(nonsending) @Sendable (PropertySettings) async -> Falsified?
    let report: nonisolated(nonsending) @Sendable (SourceLocation) async -> Void

    /// Creates a property of the values of a generator.
    ///
    /// - Parameters:
    ///   - generator: Generates the inputs.
    ///   - body: Throws an error for an input that does not pass.
    public init<Input>(
        _ generator: Gen<Input>,
        _ body: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Void
    ) {
        search = { settings in await PropertyTesting.falsify(generator, settings: settings, body) }
        report = { location in await PropertyTesting.check(generator, [], location, isolation: nil, body) }
    }

    /// Searches for an input for which the property does not hold; see ``falsify(_:examples:settings:_:)``.
    ///
    /// - Parameter settings: The number of cases and other settings. By default, those of the running test.
    /// - Returns: The failure, or `nil` if all cases passed.
    nonisolated(nonsending) public func falsify(settings: PropertySettings = .current) async -> Falsified? {
        await search(settings)
    }

    /// Checks the property in a test; see `forAll`.
    ///
    /// The traits of the test apply, such as `.cases` and `.replay`. Unlike the cases of `forAll`, those of a property
    /// run on no actor, unless the body is isolated to one.
    ///
    /// Traps outside of a test.
    ///
    /// - Parameter sourceLocation: The line at which failures are reported, except failed expectations, which have
    ///   lines of their own. The default is the call.
    nonisolated(nonsending) public func check(sourceLocation: SourceLocation = #_sourceLocation) async {
        await report(sourceLocation)
    }
}
