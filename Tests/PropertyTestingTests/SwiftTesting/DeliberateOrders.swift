import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Properties of orders that fail on purpose, or do not try all orders.
extension DeliberateFailures {
    @Test(.seed(1)) func namesAreInOrder() async {
        await forAll(Gen.order()) { order in
            #expect(names(order) == "abc")
        }
    }

    @Test func namesAreInNoOrder() async {
        await forAllOrders { order in
            #expect(names(order) != "cba")
        }
    }

    @Test func triesSomeOrders() async {
        await forAllOrders(limit: 4) { _ = names($0) }
    }

    /// Returns the names of three tasks in the order in which they run.
    private func names(_ order: StepOrder) -> String {
        let (time, log) = (VirtualScheduler(order: order), Log())
        for name in ["a", "b", "c"] { time.start { log.append(name) } }
        time.drain()
        return log.lines.joined()
    }
}
