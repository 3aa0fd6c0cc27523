import Testing

/// A generator and what should hold for its values: a property as a value, to be checked where it is of use.
///
/// ```swift
/// let commutes = Property(Gen.zip(Gen.int, Gen.int)) { a, b in try require(a + b == b + a, "\(a + b)") }
/// await commutes.check()               // in a test
/// let found = await commutes.falsify() // anywhere
/// ```
public struct Property: Sendable {
    let search: nonisolated(nonsending) @Sendable (PropertySettings) async -> Falsified?
    let report: nonisolated(nonsending) @Sendable (SourceLocation) async -> Void

    /// A property whose `body` throws for an input that should not pass.
    public init<Input>(
        _ generator: Gen<Input>,
        _ body: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Void
    ) {
        search = { settings in await PropertyTesting.falsify(generator, settings: settings, body) }
        report = { location in await PropertyTesting.check(generator, [], location, isolation: nil, body) }
    }

    /// Looks for an input for which it does not hold; see ``falsify(_:examples:settings:_:)``.
    nonisolated(nonsending) public func falsify(settings: PropertySettings = .current) async -> Falsified? {
        await search(settings)
    }

    /// Checks it in a test, and reports a failure at the line of this call; see
    /// `forAll`.
    nonisolated(nonsending) public func check(sourceLocation: SourceLocation = #_sourceLocation) async {
        await report(sourceLocation)
    }
}
