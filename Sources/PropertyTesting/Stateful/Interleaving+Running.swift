import FunctionalCore
import VirtualTime

extension StatefulProperty {
    /// Runs the first commands one after another, and then the branches concurrently, in virtual time. Does this once
    /// for each of the orders, or once first in, first out if there are none. Throws if the model does not return the
    /// responses of a run in any sequential order of the commands.
    func run(_ interleaving: Interleaving<Command>) throws {
        let orders = interleaving.orders.isEmpty ? [StepOrder([], racingTime: true)] : interleaving.orders
        for order in orders { try run(interleaving, order) }
    }

    private func run(_ interleaving: Interleaving<Command>, _ order: StepOrder) throws {
        let scheduler = VirtualScheduler()
        let (model, system) = start(scheduler.clock)
        let answers = Answers<Response>(branches: interleaving.branches.count)
        let begun = try scheduler.run {
            var begun: [Response] = []
            for command in interleaving.first { begun.append(try await actual(command, system)) }
            return begun
        }
        scheduler.executor.follow(order)
        // The tasks that the commands have started may outlive them.
        defer { scheduler.drain() }
        try scheduler.run {
            try await withThrowingTaskGroup { group in
                for (index, branch) in interleaving.branches.enumerated() {
                    group.addTask {
                        for command in branch { answers.add(try await actual(command, system), branch: index) }
                    }
                }
                try await group.waitForAll()
            }
        }
        var reached = model
        for (command, answer) in zip(interleaving.first, begun) {
            let wanted = expected(command, &reached)
            guard isEqual(answer, wanted) else {
                throw Unmet(
                    """
                    Before the branches, \(Printed.excerpt(of: command)) returned \(Printed.excerpt(of: answer)) \
                    instead of \(Printed.excerpt(of: wanted)).
                    """)
            }
        }
        let given = answers.all
        guard isExplained(reached, interleaving.branches.map { $0[...] }, given.map { $0[...] }) else {
            let text = given.map { Printed.excerpt(of: $0) }.joined(separator: " and ")
            throw Unmet("No sequential order of the commands returns \(text).")
        }
    }

    /// Returns whether the model gives the same responses in some sequential order that keeps the order of each branch.
    private func isExplained(
        _ model: Model, _ branches: [ArraySlice<Command>], _ answers: [ArraySlice<Response>]
    ) -> Bool {
        if branches.allSatisfy(\.isEmpty) { return true }
        for index in branches.indices {
            guard let command = branches[index].first, let answer = answers[index].first else { continue }
            var next = model
            guard isEqual(answer, expected(command, &next)) else { continue }
            var (rest, others) = (branches, answers)
            rest[index].removeFirst()
            others[index].removeFirst()
            if isExplained(next, rest, others) { return true }
        }
        return false
    }
}

/// The responses of the system to the commands of each branch.
private final class Answers<Response: Sendable>: Sendable {
    private let lists: Locked<[[Response]]>

    init(branches: Int) {
        lists = Locked(Array(repeating: [], count: branches))
    }

    var all: [[Response]] { lists.withLock { $0 } }

    func add(_ answer: Response, branch: Int) {
        lists.withLock { $0[branch].append(answer) }
    }
}
