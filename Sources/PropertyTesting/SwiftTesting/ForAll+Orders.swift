import Testing
import VirtualTime

/// Checks in a test that a closure passes for all orders of the steps of a small concurrent program.
///
/// ```swift
/// await forAllOrders { order in
///     let time = VirtualScheduler(order: order)
///     …
/// }
/// ```
///
/// The closure creates a scheduler with the order, and runs the same program each time. The first order is first in,
/// first out. Orders with fewer choices other than 0 come earlier. So an order that fails has as few of them as
/// possible, and is not shrunk. The report contains the order as source code, such as `StepOrder([0, 1])`.
///
/// If more than `limit` orders exist, the others are not tried, and the test reports a warning. To try long programs in
/// random orders, use `forAll` with ``Gen/order(racingTime:)``.
///
/// Isolation, failures and traps are those of `forAll`. Inputs are discarded too often if all orders are discarded. Also
/// traps if `limit` is less than 1.
///
/// - Complexity: At most `limit` calls of `body`, and two more if an order fails. The number of orders grows
///   exponentially with the number of steps. Memory for O(n) orders, with n the limit.
/// - Parameters:
///   - limit: The greatest number of orders.
///   - racesTime: Whether the clock may be advanced to the next deadline while jobs are ready; see
///     `StepOrder.racesTime`.
///   - isolation: The actor on which the closure runs. The default is the caller's.
///   - sourceLocation: The line at which failures are reported, except failed expectations, which have lines of their
///     own. The default is the call.
///   - body: Checks the program in one order with expectations, or throws an error.
/// - Returns: The number of orders that were tried.
@discardableResult
public func forAllOrders(
    limit: Int = 1_000,
    racingTime racesTime: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: nonisolated(nonsending) (StepOrder) async throws -> Void
) async -> Int {
    var orders = OrderQueue(limit: limit, racingTime: racesTime)
    let passed = await check(nil, &orders, sourceLocation, isolation: isolation, body)
    if passed, !orders.isComplete {
        Issue.record(
            """
            \(orders.count) orders passed, and more exist. To try all orders, raise the limit, or make the program \
            smaller. To try random ones, use forAll(Gen.order()).
            """,
            severity: .warning, sourceLocation: sourceLocation)
    }
    return orders.count
}

/// Searches through the orders of a program for one for which a closure throws, as `forAllOrders` does.
package nonisolated(nonsending) func falsifyOrders(
    limit: Int = 1_000,
    racingTime racesTime: Bool = false,
    _ body: nonisolated(nonsending) (StepOrder) async throws -> Void
) async -> (found: Falsified?, count: Int, isComplete: Bool) {
    var orders = OrderQueue(limit: limit, racingTime: racesTime)
    let found = await search(nil, examples: &orders, settings: .current, isolation: #isolation, body)
    return (found?.report, orders.count, orders.isComplete)
}
