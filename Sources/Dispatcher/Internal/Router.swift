import Optics
import Synchronization

/// The parts of a combined dispatcher, and for each case of the input those that it concerns.
///
/// What a case's parts are is learned at its first input and kept, so that from then on an input costs what its own parts
/// cost. Parts whose prism cannot tell from the case alone are tried for every input.
///
/// Unchecked: a slot goes from empty to one list, atomically, and the list is immutable. Two threads that learn at once
/// learn the same.
final class Router<Environment, S, Input>: @unchecked Sendable {
    typealias Part = StateDispatcher<Environment, S, Input>.Part

    private let parts: [Part]
    private let routing: CaseRouting<Input>
    private let slots: UnsafeMutablePointer<AtomicLazyReference<Parts>>

    private final class Parts: Sendable {
        let list: [Part]

        init(_ list: [Part]) {
            self.list = list
        }
    }

    init(_ parts: [Part], by routing: CaseRouting<Input>) {
        self.parts = parts
        self.routing = routing
        slots = .allocate(capacity: routing.tagCount)
        for tag in 0..<routing.tagCount { (slots + tag).initialize(to: AtomicLazyReference()) }
    }

    deinit {
        slots.deinitialize(count: routing.tagCount)
        slots.deallocate()
    }

    /// The parts that may have actions for `input`, in the order they were combined.
    func parts(for input: Input) -> [Part] {
        let tag = routing.tag(of: input)
        if let known = slots[tag].load() { return known.list }
        let learned = parts.filter { $0.routing?.accepts(input, tag: tag) ?? true }
        return slots[tag].storeIfNil(Parts(learned)).list
    }
}

/// The parts one after the other, or those alone that the input's case concerns.
@usableFromInline
func combinedEmit<Environment, S, Input>(
    _ parts: [StateDispatcher<Environment, S, Input>.Part]
) -> StateDispatcher<Environment, S, Input>.Emit {
    guard parts.count > 1, let routing = parts.lazy.compactMap(\.routing).first else {
        return { input, emit in for part in parts { part.emit(input, emit) } }
    }
    let router = Router(parts, by: routing)
    return { input, emit in for part in router.parts(for: input) { part.emit(input, emit) } }
}
