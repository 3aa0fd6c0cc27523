import VirtualTime

/// The orders of a program, up to a limit. The orders with the fewest choices other than 0 come first.
///
/// The program runs in each order before the next order is taken. The log of the run shows how many steps were possible
/// at each choice. From these numbers, the queue derives the orders that have one more choice other than 0, and appends
/// them. Each order except the first is derived from exactly one other order.
struct OrderQueue: ExampleSequence {
    /// The number of orders that were taken.
    private(set) var count = 0
    /// Whether the limit has excluded no order so far. The value is final when `next()` has returned `nil`.
    private(set) var isComplete = true

    private let limit: Int
    private let racesTime: Bool
    private var orders: [[Int]] = [[]]
    private var last: StepOrder?

    init(limit: Int, racingTime racesTime: Bool) {
        guard limit > 0 else {
            fatalError("A limit of \(limit) orders tries none, so every test would pass. To fix, pass 1 or more.")
        }
        self.limit = limit
        self.racesTime = racesTime
    }

    var name: String { "order \(count)" }

    mutating func next() -> StepOrder? {
        if let last { addFollowers(of: last) }
        guard count < orders.count else { return nil }
        let order = StepOrder(orders[count], racingTime: racesTime, log: StepLog())
        count += 1
        last = order
        return order
    }

    private mutating func addFollowers(of order: StepOrder) {
        let stepCounts = order.log?.stepCounts ?? []
        for position in stepCounts.indices.dropFirst(order.choices.count) {
            let start = order.choices + Array(repeating: 0, count: position - order.choices.count)
            for choice in 1..<stepCounts[position] {
                guard orders.count < limit else {
                    isComplete = false
                    return
                }
                orders.append(start + [choice])
            }
        }
    }
}
