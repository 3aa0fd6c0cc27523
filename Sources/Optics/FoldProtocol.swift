/// Any optic: ``Fold``, ``Traversal``, ``Affine``, ``Lens``, ``Prism`` or ``Iso``.
///
/// All of them can be read as a fold. Use it to accept all six: a function with a parameter of type
/// `some FoldProtocol<Whole, Part>` takes any of them. Other types should not conform to it.
public protocol FoldProtocol<Whole, Part>: Sendable {
    /// The type of the values that the optic reads.
    associatedtype Whole
    /// The type of the parts within a whole.
    associatedtype Part

    /// This optic as a fold, which only reads.
    var asFold: Fold<Whole, Part> { get }
}

extension FoldProtocol {
    /// Returns a fold of the parts of `next` within each part of this optic.
    ///
    /// The returned fold goes through the parts of this optic in order. In each of them, it visits the parts of `next`,
    /// in the order that `next` determines.
    ///
    /// ```swift
    /// let ids = Lens(\Shop.orders).each.appending(Fold(\Order.id))
    /// ```
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func appending<Next>(_ next: some FoldProtocol<Part, Next>) -> Fold<Whole, Next> {
        // Disfavored, so that the compiler does not try it where a lens, prism, iso or affine results. Each `appending`
        // of a chain would multiply the work otherwise.
        let (visitOuter, visitInner) = (asFold.forEach, next.asFold.forEach)
        return Fold(
            visit: { whole, visit in
                visitOuter(whole) { part in
                    var goesOn = true
                    visitInner(part) { next in
                        goesOn = visit(next)
                        return goesOn
                    }
                    return goesOn
                }
            }
        )
    }
}
