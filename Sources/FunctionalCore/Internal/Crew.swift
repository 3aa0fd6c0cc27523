import Synchronization

/// Several tasks that share the elements of one `parTraverse`: each takes the next one when it is done with one, so that
/// there are as many tasks as may run at once, however many elements there are.
@usableFromInline
struct Crew<Element: Sendable, Environment: Sendable, Failure: Error, Value: Sendable>: Sendable {
    @usableFromInline
    let elements: [Element]
    @usableFromInline
    let program: @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    @usableFromInline
    let heritage: Heritage
    @usableFromInline
    let turns = Turns()

    @inlinable
    init(
        elements: [Element], program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>,
        heritage: Heritage
    ) {
        self.elements = elements
        self.program = program
        self.heritage = heritage
    }

    /// All values, in the order of the elements.
    @inlinable
    nonisolated(nonsending) func work(by count: Int) async -> Outcome<[Value], Failure> {
        await withTaskGroup(of: Outcome<[(Int, Value)], Failure>.self) { group in
            for _ in 0..<count { group.addTask { await share() } }
            var values = [Value?](repeating: nil, count: elements.count)
            for await share in group {
                switch share {
                case .value(let share):
                    for (index, value) in share { values[index] = value }
                case .failure(let failure):
                    group.cancelAll()
                    return .failure(failure)
                case .cancelled:
                    group.cancelAll()
                    return .cancelled
                }
            }
            return .value(values.compactMap { $0 })
        }
    }

    /// What one task does, and where the values of it belong.
    @inlinable
    nonisolated(nonsending) func share() async -> Outcome<[(Int, Value)], Failure> {
        var values: [(Int, Value)] = []
        while true {
            let index = turns.next()
            guard index < elements.count else { return .value(values) }
            switch await program(elements[index]).outcome(inheriting: heritage) {
            case .value(let value): values.append((index, value))
            case .failure(let failure): return .failure(failure)
            case .cancelled: return .cancelled
            }
        }
    }
}

/// Counts up from zero, for any number of tasks.
@usableFromInline
final class Turns: Sendable {
    private let count = Atomic(0)

    @usableFromInline
    init() {}

    @usableFromInline
    func next() -> Int {
        count.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}
