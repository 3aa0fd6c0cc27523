/// Commands that run one after the other, then lists of commands that run at once, and in which order their steps go.
struct Interleaving<Command: Sendable>: Sendable, CustomStringConvertible {
    var first: [Command]
    var branches: [[Command]]
    /// Which of the ready steps is next, as an index modulo how many are ready; the first one when the list is used up.
    var order: [Int]

    /// The lists are short, and the shorter the more there are, as all their orders have to be compared.
    static func gen(of command: Gen<Command>, branches: Int) -> Gen<Interleaving> {
        Gen<Interleaving> { source throws(Discarded) in
            let first = try command.array(0...4).run(&source)
            let longest = branches < 3 ? 4 : max(6 - branches, 1)
            var lists: [[Command]] = []
            for _ in 0..<branches { lists.append(try command.array(0...longest).run(&source)) }
            // More steps may be ready than there are branches, as a command may start tasks.
            let order = try Gen<Int>.int(in: 0...max(branches - 1, 7)).array(0...40).run(&source)
            return Interleaving(first: first, branches: lists, order: order)
        }
    }

    var description: String {
        let atOnce = branches.map { Printed.text(of: $0) }.joined(separator: " with ")
        return (first.isEmpty ? "" : "\(Printed.text(of: first)), then ") + atOnce
            + ", steps \(Printed.text(of: order))"
    }
}
