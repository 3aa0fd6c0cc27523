import Synchronization

/// Several tasks that share the elements of one `parTraverse`: each takes the next one when it is done with one, so
/// that there are as many tasks as may run at once, however many elements there are.
///
/// Unchecked: each value is written by the one task that took its turn, and read when all have ended.
@usableFromInline
final class Crew<Element: Sendable, Environment: Sendable, Failure: Error, Value: Sendable>: @unchecked Sendable {
    @usableFromInline
    let elements: [Element]
    @usableFromInline
    let program: @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    @usableFromInline
    let heritage: Heritage
    @usableFromInline
    let turns = Atomic(0)
    @usableFromInline
    let ending = Ending<Never, Failure>()
    @usableFromInline
    let values: UnsafeMutablePointer<Value?>

    @inlinable
    init(
        elements: [Element], program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>,
        heritage: Heritage
    ) {
        self.elements = elements
        self.program = program
        self.heritage = heritage
        values = .allocate(capacity: elements.count)
        values.initialize(repeating: nil, count: elements.count)
    }

    @inlinable
    deinit {
        values.deinitialize(count: elements.count)
        values.deallocate()
    }

    /// All values, in the order of the elements.
    @inlinable
    nonisolated(nonsending) func work(by count: Int) async -> Outcome<[Value], Failure> {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<count { group.addTask { try await self.share() } }
            }
        } catch {
            if case .failure(let failure) = ending.outcome { return .failure(failure) }
            return .cancelled
        }
        return .value(UnsafeBufferPointer(start: values, count: elements.count).compactMap { $0 })
    }

    /// What one task does. Where programs end at once, others go ahead now and then.
    @inlinable
    nonisolated(nonsending) func share() async throws {
        for number in 1... {
            if number & 0x01FF == 0 { await heritage.pause() }
            let index = turns.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < elements.count else { return }
            switch await program(elements[index]).outcome(inheriting: heritage) {
            case .value(let value): values[index] = value
            case .failure(let failure): throw ending.with(.failure(failure))
            case .cancelled: throw ending.with(.cancelled)
            }
        }
    }
}
