/// An optic that updates its parts: ``Traversal``, ``Affine``, ``Lens``, ``Prism`` or ``Iso``.
///
/// These are all optics except ``Fold``. Use it to accept all five: a function with a parameter of type
/// `some TraversalProtocol<Whole, Part>` takes any of them. Other types should not conform to it.
public protocol TraversalProtocol<Whole, Part>: FoldProtocol {
    /// This optic as a traversal.
    var asTraversal: Traversal<Whole, Part> { get }
}

extension TraversalProtocol {
    /// Returns a traversal of the parts of `next` within each part of this optic.
    ///
    /// The returned traversal goes through the parts of this optic in order. In each of them, it visits the parts of
    /// `next`, in the order that `next` determines.
    ///
    /// ```swift
    /// let prices = Traversal<[Order], Order>.each.appending(Lens(\Order.lines)).each.price
    /// ```
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func appending<Next>(_ next: some TraversalProtocol<Part, Next>) -> Traversal<Whole, Next> {
        // Disfavored, so that the compiler does not try it where a lens, prism, iso or affine results. Each `appending`
        // of a chain would multiply the work otherwise.
        let (outer, inner) = (asTraversal, next.asTraversal)
        return Traversal(
            visit: outer.asFold.appending(inner.asFold).forEach,
            modify: { whole, change in outer.update(&whole) { inner.update(&$0, change) } }
        )
    }
}

extension TraversalProtocol {
    /// This optic as a fold, which only reads.
    @_alwaysEmitIntoClient
    public var asFold: Fold<Whole, Part> { Fold(visit: asTraversal.forEach) }
}

extension Traversal: TraversalProtocol, PartsProtocol {
    /// This traversal.
    @_alwaysEmitIntoClient
    public var asTraversal: Traversal<Whole, Part> { self }
}
