public import FunctionalCore

/// A reader of any number of parts, in a fixed order.
///
/// A fold reads parts that cannot be written, such as computed properties, the elements of a set, or the parts that
/// satisfy a condition. Any other optic can be used as a fold. The idea is Monocle's `Fold`.
///
/// ```swift
/// let unpaid = Lens(\Shop.orders).each.filter { !$0.isPaid }  // Fold<Shop, Order>
/// unpaid.total.getAll(shop)
/// ```
///
/// A fold stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They access
/// only their arguments.
///
/// A fold must read the same parts of equal wholes, and must stop when its closure returns `false`. `FoldLaw` in
/// `FunctionalLaws` tests this.
///
/// A fold has the properties of its parts as members, including those without a setter: if each part of `orders` has
/// a property `total`, then `orders.total` is a fold of these properties. If a property has the same name as an
/// operation of `Fold`, such as `count`, write `appending(Fold(\.count))` instead.
@frozen
@dynamicMemberLookup
public struct Fold<Whole, Part>: Sendable {
    @usableFromInline package let forEach: @Sendable (Whole, (Part) -> Bool) -> Void

    /// Creates a fold from a function that visits all parts.
    ///
    /// ```swift
    /// let halves = Fold<Interval, Int>(visit: { interval, visit in _ = visit(interval.start) && visit(interval.end) })
    /// ```
    ///
    /// - Parameter visit: Calls the closure with each part, and stops when the closure returns `false`. If it goes on,
    ///   the operations of the fold ignore the parts that follow.
    @_alwaysEmitIntoClient
    public init(visit: @escaping @Sendable (Whole, (Part) -> Bool) -> Void) {
        self.forEach = visit
    }

    /// Creates a fold whose only part is the property at `path`.
    ///
    /// The property may have no setter. Other libraries call this optic a getter.
    ///
    /// ```swift
    /// let total = Fold(\Order.total)
    /// ```
    @_alwaysEmitIntoClient
    public init(_ path: any KeyPath<Whole, Part> & Sendable) {
        self.init(visit: { whole, visit in _ = visit(whole[keyPath: path]) })
    }

    /// A fold of a property of each part.
    @_alwaysEmitIntoClient
    public subscript<Next>(dynamicMember path: any KeyPath<Part, Next> & Sendable) -> Fold<Whole, Next> {
        appending(Fold<Part, Next>(path))
    }
}

extension Fold where Whole == Part {
    /// The fold whose only part is the whole.
    ///
    /// Composing it with another fold, in either order, yields a fold that behaves like the other fold.
    @_alwaysEmitIntoClient
    public static var identity: Fold<Whole, Whole> {
        Lens.identity.asFold
    }
}

extension Fold: PartsProtocol {
    /// This fold.
    @_alwaysEmitIntoClient
    public var asFold: Fold<Whole, Part> { self }
}

extension Fold: Monoid {
    /// Returns a fold of the parts of this fold, followed by those of `other`.
    ///
    /// Both folds read the same whole. A part that both read is read twice.
    ///
    /// ```swift
    /// let messages = Fold(\Form.nameError).combine(Fold(\Form.emailError)).some()
    /// ```
    ///
    /// To combine many folds, use ``combineAll(_:)``.
    @_alwaysEmitIntoClient
    public func combine(_ other: Fold) -> Fold {
        let (first, second) = (forEach, other.forEach)
        return Fold(
            visit: { whole, visit in
                var goesOn = true
                first(whole) { part in
                    goesOn = visit(part)
                    return goesOn
                }
                if goesOn { second(whole, visit) }
            }
        )
    }

    /// Returns a fold of the parts of all `folds`, in order.
    ///
    /// The result has the same parts as repeated calls of ``combine(_:)``. A visit takes linear time and constant stack
    /// space, however many folds there are.
    @_alwaysEmitIntoClient
    public static func combineAll(_ folds: some Sequence<Fold>) -> Fold {
        let visits = folds.map(\.forEach)
        return Fold(
            visit: { whole, visit in
                var goesOn = true
                for visitAll in visits where goesOn {
                    visitAll(whole) { part in
                        goesOn = visit(part)
                        return goesOn
                    }
                }
            }
        )
    }

    /// The fold that has no parts.
    @_alwaysEmitIntoClient
    public static var empty: Fold { Fold(visit: { _, _ in }) }
}
