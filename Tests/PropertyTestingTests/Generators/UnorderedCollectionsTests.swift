import PropertyTesting
import Testing

/// The order of a set differs between processes, so a choice from a set could not be replayed.
@Suite("Unordered collections", .timeLimit(.minutes(10)))
struct UnorderedCollectionsTests {
    @Test func elementRefusesUnorderedCollections() {
        #expect(isGenerator(Gen.element(of: [1, 2])))
        #expect(isGenerator(Gen.element(of: "ab")))
        #expect(!isGenerator(Gen.element(of: [1, 2] as Set<Int>)))
        #expect(!isGenerator(Gen.element(of: [1: 2].keys)))
    }

    private func isGenerator(_ value: some Any) -> Bool { !(value is NotChosenFrom) }
}

private struct NotChosenFrom {}

extension Gen {
    /// The overload for arguments that the `element(of:)` of the library does not accept.
    fileprivate static func element(of values: some Sequence<Value>) -> NotChosenFrom { NotChosenFrom() }
}
