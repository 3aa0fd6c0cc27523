public import Optics

/// The parts of a combined dispatcher, and the function that emits their actions for an input.
@usableFromInline
final class CombinedParts<Environment, S, Input>: Sendable {
    @usableFromInline let parts: [StateDispatcher<Environment, S, Input>.Part]
    @usableFromInline let emit: StateDispatcher<Environment, S, Input>.Emit

    @inlinable
    init(_ parts: [StateDispatcher<Environment, S, Input>.Part]) {
        self.parts = parts
        self.emit = combinedEmit(parts)
    }
}

/// The function that emits the actions of a combined dispatcher for inputs of one case, as an object that a table can
/// store.
@usableFromInline
final class CaseEmit<Environment, S, Input>: Sendable {
    @usableFromInline let emit: StateDispatcher<Environment, S, Input>.Emit

    /// Creates the function for one case.
    ///
    /// - Parameter parts: The parts that may have actions for inputs of the case.
    @inlinable
    init(_ parts: [StateDispatcher<Environment, S, Input>.Part]) {
        emit = sequentialEmit(parts)
    }
}

/// Returns a function that emits the actions of the parts, one part after the other. If there are several parts, the
/// function skips each part whose `routing` rejects the case of the input. It always uses the parts without a routing.
@inlinable
func combinedEmit<Environment, S, Input>(
    _ parts: [StateDispatcher<Environment, S, Input>.Part]
) -> StateDispatcher<Environment, S, Input>.Emit {
    guard parts.count > 1, parts.contains(where: { $0.routing != nil }) else { return sequentialEmit(parts) }
    let table = LearnedRoutes(parts, by: { $0.routing }, makeHandler: { CaseEmit($0) })
    return { input, perform in table.withHandler(of: input) { $0.emit(input, perform) } }
}

/// Returns a function that emits the actions of the parts, one part after the other.
@inlinable
func sequentialEmit<Environment, S, Input>(
    _ parts: [StateDispatcher<Environment, S, Input>.Part]
) -> StateDispatcher<Environment, S, Input>.Emit {
    if parts.count == 1 { return parts[0].emit }
    return { input, perform in for part in parts { part.emit(input, perform) } }
}
