/// Commands that run one after the other, then lists of commands that run at once, and orders of their steps.
struct Interleaving<Command: Sendable>: Sendable, CustomStringConvertible {
    var first: [Command]
    var branches: [[Command]]
    /// The orders in which the branches run, each time with a new system. One is left in a counterexample.
    ///
    /// An order has the index of each next step among the possible ones, modulo their count; 0 when it is used up. The
    /// possible steps are the jobs that are ready and, if a task sleeps, the advance of the clock. A step that is the
    /// only possible one takes no index.
    var orders: [[Int]]

    /// The lists of commands are as long as it takes to compare all their orders, from the first case on: what is wrong
    /// for a few commands is wrong in many orders of more.
    static func gen(of command: Gen<Command>, branches: Int) -> Gen<Interleaving> {
        let longest = branches < 3 ? 4 : max(6 - branches, 1)
        let (begin, branch) = (command.longArray(4), command.longArray(longest))
        // More steps may be possible than there are branches, as a command may start tasks.
        let bound = UInt64(max(branches, 11))
        // All of one length: a shrinker that leaves out a command may replace all steps.
        let order = Gen<Int> { source in Int(source.choose(upTo: bound)) }.array(60...60)
        let orders = order.longArray(4)
        return Gen<Interleaving> { source throws(Discarded) in
            // Commands that come first leave less to find: the interesting reads and writes may be behind them.
            let first = try source.choose(upTo: 1) == 0 ? [] : begin.run(&source)
            var lists: [[Command]] = []
            for _ in 0..<branches { lists.append(try branch.run(&source)) }
            return Interleaving(first: first, branches: lists, orders: try orders.run(&source))
        }
    }

    var description: String {
        let atOnce = branches.map { Printed.text(of: $0) }.joined(separator: " with ")
        let used = orders.map { order in Array(order[...(order.lastIndex { $0 != 0 } ?? -1)]) }
        let steps = used.isEmpty ? "[]" : used.map { Printed.text(of: $0) }.joined(separator: " or ")
        return (first.isEmpty ? "" : "\(Printed.text(of: first)), then ") + atOnce + ", steps \(steps)"
    }
}
