import PropertyTesting
import Testing

/// One of a set's elements would be another one in each process, and nothing could be replayed.
@Suite("Unordered collections", .timeLimit(.minutes(10)))
struct UnorderedCollectionsTests {
    @Test func theyAreNotChosenFrom() {
        #expect(isGenerator(Gen.element(of: [1, 2])))
        #expect(isGenerator(Gen.element(of: "ab")))
        #expect(!isGenerator(Gen.element(of: [1, 2] as Set<Int>)))
        #expect(!isGenerator(Gen.element(of: [1: 2].keys)))
    }

    private func isGenerator(_ value: some Any) -> Bool { !(value is NotChosenFrom) }
}

private struct NotChosenFrom {}

extension Gen {
    /// Chosen by the compiler for what the library's own `element(of:)` does not take.
    fileprivate static func element(of values: some Sequence<Value>) -> NotChosenFrom { NotChosenFrom() }
}
