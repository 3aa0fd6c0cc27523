/// Any optic: ``Traversal``, ``Affine``, ``Lens``, ``Prism`` or ``Iso``.
///
/// Use it to accept all five: a function with a parameter of type `some TraversalProtocol<Whole, Part>` takes any of
/// them. Other types should not conform to it.
public protocol TraversalProtocol<Whole, Part>: Sendable {
    /// The type of the values that the optic reads and updates.
    associatedtype Whole
    /// The type of the parts within a whole.
    associatedtype Part

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
    @inlinable
    public func appending<Next>(_ next: some TraversalProtocol<Part, Next>) -> Traversal<Whole, Next> {
        let (outer, inner) = (asTraversal, next.asTraversal)
        return Traversal(
            visit: { whole, visit in
                outer.forEach(whole) { part in
                    var goesOn = true
                    inner.forEach(part) { next in
                        goesOn = visit(next)
                        return goesOn
                    }
                    return goesOn
                }
            },
            modify: { whole, change in outer.update(&whole) { inner.update(&$0, change) } }
        )
    }
}

extension Traversal: TraversalProtocol {
    /// This traversal.
    @inlinable
    public var asTraversal: Traversal<Whole, Part> { self }
}
