/// An accessor for any number of parts, in a fixed order.
///
/// A traversal reads all parts of a whole, and updates each of them in place.
///
/// ```swift
/// let names = Lens(\Team.members).each.name
/// names.getAll(team)                    // every name, in order
/// names.modify(&team) { $0 = $0.uppercased() }
/// ```
///
/// A traversal stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They
/// access only their arguments.
///
/// A traversal must satisfy the laws of Monocle's `Traversal`. `TraversalLaw` in `FunctionalLaws` tests them.
///
/// - Updating the parts and then reading them returns the same parts as reading them and then updating each.
/// - An update that changes no part does not change the whole.
/// - Two consecutive updates equal one update that makes both changes to each part.
///
/// Therefore no traversal in this module selects parts by a condition on their values: after an update, the condition
/// could select other parts. ``PartsProtocol/filter(_:)`` returns a ``Fold``, which only reads.
///
/// A traversal has the members of its parts: if each part of `members` has a property `name`, then `members.name` is a
/// traversal of those properties. If a property has the same name as an operation of `Traversal`, such as `first` or
/// `filter`, write `appending(Lens(\.first))` instead.
@frozen
@dynamicMemberLookup
public struct Traversal<Whole, Part>: Sendable {
    @usableFromInline let forEach: @Sendable (Whole, (Part) -> Bool) -> Void
    @usableFromInline let update: InPlaceUpdate<Whole, Part>

    /// Creates a traversal from a function that visits all parts and a function that updates all parts in place.
    ///
    /// Both functions must use the same order.
    ///
    /// ```swift
    /// let both = Traversal<Pair, Int>(
    ///     visit: { pair, visit in _ = visit(pair.first) && visit(pair.second) },
    ///     modify: { pair, change in
    ///         change(&pair.first)
    ///         change(&pair.second)
    ///     }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - visit: Calls the closure with each part, and stops when the closure returns `false`. If it goes on, the
    ///     operations of the traversal ignore the parts that follow.
    ///   - modify: Updates the parts of a whole in place, by passing each part to its closure once.
    @_alwaysEmitIntoClient
    public init(
        visit: @escaping @Sendable (Whole, (Part) -> Bool) -> Void,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.forEach = visit
        self.update = modify
    }

    /// Replaces every part of `whole` by `part`, in place.
    @_alwaysEmitIntoClient
    public func set(_ whole: inout Whole, _ part: Part) {
        update(&whole) { $0 = part }
    }

    /// Returns a copy of `whole` with every part replaced by `part`.
    @_alwaysEmitIntoClient
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Updates every part of `whole` in place, in order.
    ///
    /// If `change` throws for a part, the parts before it stay updated, and the parts after it do not change. The part
    /// itself keeps the changes made before the error.
    ///
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    public func modify<Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        update(&whole) { part in
            guard failure == nil else { return }
            do throws(Failure) {
                try change(&part)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Returns a copy of `whole` with every part updated by `change`.
    ///
    /// If `change` throws for a part, this method throws the error and returns no copy. In functional programming, an
    /// update with a function that can fail is called an effectful traversal.
    ///
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// A traversal of a property of each part.
    @_alwaysEmitIntoClient
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Traversal<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Traversal where Whole == Part {
    /// The traversal whose only part is the whole.
    ///
    /// Composing it with another traversal, in either order, yields a traversal that behaves like the other traversal.
    @_alwaysEmitIntoClient
    public static var identity: Traversal<Whole, Whole> {
        Lens.identity.asTraversal
    }
}
