import FunctionalCore
import Optics

/// A way in which a client writes a part through a prism.
enum WritePath: CaseIterable {
    case set, setting, modify, swap, clientFunction, throwing, modifying, focus
    case optional, affine, traversal, elements, appended

    /// Writes the value in `source` through `prism` into `whole`.
    func write<Whole: SendableMetatype, Part>(
        _ source: DirtyMemory<Part>, to whole: inout Whole, _ prism: Prism<Whole, Part>
    ) {
        dirtyStack()
        switch self {
        case .set:
            prism.set(&whole, source.value)
        case .setting:
            whole = prism.setting(whole, source.value)
        case .modify:
            prism.modify(&whole) { $0 = source.value }
        case .swap:
            prism.modify(&whole) { part in
                var other = source.value
                Swift.swap(&part, &other)
            }
        case .clientFunction:
            prism.modify(&whole) { assign(source.value, to: &$0) }
        case .throwing:
            try? prism.modify(&whole) { part throws(Interruption) in
                part = source.value
                throw Interruption()
            }
        case .modifying:
            whole = prism.modifying(whole) { $0 = source.value }
        case .focus:
            let program: State<Whole, Void?> = State<Part, Void>.update { $0 = source.value }.focus(prism)
            whole = program.exec(whole)
        case .optional:
            var present = Optional(whole)
            Prism<Whole?, Whole>.some.appending(prism).set(&present, source.value)
            whole = present!
        case .affine:
            Lens<Whole, Whole>.identity.appending(prism).set(&whole, source.value)
        case .traversal:
            prism.asTraversal.set(&whole, source.value)
        case .elements:
            var wholes = [whole, whole]
            Traversal<[Whole], Whole>.each.appending(prism).set(&wholes, source.value)
            whole = wholes[1]
        case .appended:
            prism.appending(Lens<Part, Part>.identity).set(&whole, source.value)
        }
    }

    /// Like `write`, but unspecialized, as in a binary framework or in a debug build.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func writeUnspecialized<Whole: SendableMetatype, Part>(
        _ source: DirtyMemory<Part>, to whole: inout Whole, _ prism: Prism<Whole, Part>
    ) {
        write(source, to: &whole, prism)
    }
}

private struct Interruption: Error {}

/// Stands for a generic function of a client in another module or without optimization.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
func assign<Value>(_ value: Value, to place: inout Value) {
    place = value
}
