import TestSupport
import Testing

/// The steps by which tests of costs measure.
@Suite(.timeLimit(.minutes(10))) struct StepsTests {
    private final class Item {}

    @Test(.countsSteps) func `an allocation takes a step for each word`() {
        let count = steps { _ = [Int](repeating: 0, count: 1_000) }
        #expect((1_000..<1_100).contains(count))
    }

    @Test(.countsSteps) func `a scan of all items for each item is quadratic, and one scan is linear`() {
        func scan(_ items: [Item]) { for item in items { _ = ObjectIdentifier(item) } }
        func cost(of count: Int, _ body: ([Item]) -> Void) -> Int {
            let items = (0..<count).map { _ in Item() }
            return steps { body(items) }
        }
        #expect(growth(from: 30, to: 300) { cost(of: $0, scan) } < 1.2)
        #expect(growth(from: 30, to: 300) { cost(of: $0) { items in for _ in items { scan(items) } } } > 1.8)
    }
}
