/// Every optic: ``Traversal``, ``Affine``, ``Lens``, ``Prism`` and ``Iso``.
///
/// Not meant to be adopted by other types: a function that takes `some TraversalConvertible<Whole, Part>` takes all
/// five.
public protocol TraversalConvertible<Whole, Part>: Sendable {
    /// What is looked into.
    associatedtype Whole
    /// What is found there.
    associatedtype Part

    /// This optic as a traversal.
    var asTraversal: Traversal<Whole, Part> { get }
}

extension TraversalConvertible {
    /// The parts of the parts: anything and a traversal, in either order, make a traversal.
    ///
    /// Parts come in the order of the first, and within one of them in the order of the second.
    ///
    /// ```swift
    /// let prices = Traversal<[Order], Order>.each.appending(Lens(\Order.lines)).each.price
    /// ```
    @inlinable
    public func appending<Next>(_ next: some TraversalConvertible<Part, Next>) -> Traversal<Whole, Next> {
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

extension Traversal: TraversalConvertible {
    /// This traversal.
    @inlinable
    public var asTraversal: Traversal<Whole, Part> { self }
}
