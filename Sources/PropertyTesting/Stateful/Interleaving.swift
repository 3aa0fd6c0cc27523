import FunctionalCore
import VirtualTime

/// Commands that run one after another, then lists of commands that run concurrently, and orders of their steps.
struct Interleaving<Command: Sendable>: Sendable, CustomStringConvertible {
    var first: [Command]
    var branches: [[Command]]
    /// The orders in which the branches run, each with a new system. A counterexample that has been shrunk usually has
    /// one order.
    var orders: [StepOrder]

    /// Returns a generator of interleavings.
    ///
    /// The lists are short enough to compare all orders of their commands. They have this length from the first case
    /// on, because an error that a few commands reveal occurs in many orders of more commands.
    static func gen(of command: Gen<Command>, branches: Int) -> Gen<Interleaving> {
        // The number of orders grows with the factorial of the branches.
        checkCount(branches, in: 0...100, of: "The argument branches")
        let longest = branches < 3 ? 4 : max(6 - branches, 1)
        let (begin, branch) = (command.longArray(4), command.longArray(longest))
        // There can be more possible steps than branches, because a command may start tasks.
        let bound = UInt64(max(branches, 11))
        // All orders have the same length, so that a shrinker that removes a command can replace all steps.
        let order = Gen<Int> { source in Int(source.choose(upTo: bound)) }.array(60...60)
            .map { StepOrder($0, racingTime: true) }
        let orders = order.longArray(4)
        return Gen<Interleaving> { source throws(Discarded) in
            // Half of the cases have no first commands, because these may already make the interesting reads and
            // writes.
            let first = try source.choose(upTo: 1) == 0 ? [] : begin.run(&source)
            var lists: [[Command]] = []
            for _ in 0..<branches { lists.append(try branch.run(&source)) }
            return Interleaving(first: first, branches: lists, orders: try orders.run(&source))
        }
    }

    var description: String {
        let atOnce = branches.map { Printed.text(of: $0) }.joined(separator: " with ")
        let steps = orders.isEmpty ? "[]" : orders.map { Printed.text(of: $0.choices) }.joined(separator: " or ")
        return (first.isEmpty ? "" : "\(Printed.text(of: first)), then ") + atOnce + ", steps \(steps)"
    }
}
