/// Commands that run one after the other, then lists of commands that run at once, and in which order their steps go.
struct Interleaving<Command: Sendable>: Sendable, CustomStringConvertible {
    var first: [Command]
    var branches: [[Command]]
    /// Which of the ready steps is next, as an index; the first one when the list is used up.
    var order: [Int]

    /// The lists are short, as all their orders have to be compared.
    static func gen(of command: Gen<Command>, branches: Int) -> Gen<Interleaving> {
        Gen<Interleaving> { source throws(Discarded) in
            let first = try command.array(0...4).run(&source)
            var lists: [[Command]] = []
            for _ in 0..<branches { lists.append(try command.array(0...4).run(&source)) }
            let order = try Gen<Int>.int(in: 0...branches - 1).array(0...40).run(&source)
            return Interleaving(first: first, branches: lists, order: order)
        }
    }

    var description: String {
        let atOnce = branches.map { Printed.text(of: $0) }.joined(separator: " with ")
        return (first.isEmpty ? "" : "\(Printed.text(of: first)), then ") + atOnce
            + ", steps \(Printed.text(of: order))"
    }
}
