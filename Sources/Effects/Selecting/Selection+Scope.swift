public import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Selection {
    /// Dispatches an action to the store; see ``Store/dispatch(action:)``.
    public func dispatch(action: any Action) {
        store.dispatch(action: action)
    }

    /// Registers an effect with the store. It receives all actions of the store; see ``Store/register(_:)``.
    ///
    /// If this is a scope of ``Store/scope(part:)`` or ``Store/scopes(state:)``, or a selection that was made from one,
    /// the effect ends with the part. An action after which the part is absent, or has another id, cancels the effect as
    /// ``EffectRegistration/cancel()`` does. Actions that the effect has emitted and that are enqueued are dropped, too.
    /// This happens on the thread that processes the action, after observers have been notified, and before effects
    /// receive the action. If the part is absent when this method is called, or when its turn comes, the effect does not
    /// start, and its status is ``EffectStatus/cancelled``. The effect of any other selection runs until its
    /// registration is cancelled or the store is deallocated.
    ///
    /// May be called from any thread. Traps if a reducer calls this method.
    ///
    /// - Complexity: Until such an effect ends, each action looks for its part once: O(1) for a row that is where it was.
    ///   Other effects cost nothing.
    /// - Returns: The registration, which cancels the effect earlier. It may be dropped.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        store.register(effect, while: view.isPresent)
    }
}

// MARK: - Selecting

extension Selection {
    /// Returns a selection of the value that `selector` computes from this value; see
    /// ``Store/select(_:)-((S)->Value)``.
    ///
    /// After each action, `selector` is called once for each observer. ``map(_:)`` calls its closure only after a change.
    @inlinable
    public func select<Part: Equatable & Sendable>(_ selector: @escaping @Sendable (Value) -> Part) -> Selection<Part> {
        select(selector, by: ==)
    }

    /// Returns a selection of the value that `selector` computes from this value, compared by `isSame`; see
    /// ``Store/select(_:by:)``.
    @inlinable
    public func select<Part: Sendable>(
        _ selector: @escaping @Sendable (Value) -> Part,
        by isSame: @escaping @Sendable (_ old: Part, _ new: Part) -> Bool
    ) -> Selection<Part> {
        Selection<Part>(view.part(isSame) { selector }, of: store)
    }

    /// Returns a selection that computes the value of `selector` only if an input differs; see
    /// ``Store/select(_:)-(Selector<S,Value>)``.
    @inlinable
    public func select<Part: Equatable & Sendable>(_ selector: Selector<Value, Part>) -> Selection<Part> {
        Selection<Part>(view.part(==, memory: selector.memoized), of: store)
    }
}

// MARK: - Scopes

extension Selection {
    /// Returns a selection of a part of this value, for a feature that uses this part; see ``Store/scope(state:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable>(state path: any KeyPath<Value, Part> & Sendable) -> Selection<Part> {
        select { $0[keyPath: path] }
    }

    /// Returns a selection of a part of this value that may be absent; see ``Store/scope(part:)``.
    public func scope<Part: Equatable & Sendable>(part: some AffineProtocol<Value, Part>) -> Selection<Part>? {
        let part = part.asAffine
        return view.presentPart { part.extract($0) }.map { Selection<Part>($0, of: store) }
    }

    /// Returns a scope for each row of a collection in this value; see ``Store/scopes(state:)``.
    @inlinable
    public func scopes<Rows>(
        state rows: any KeyPath<Value, Rows> & Sendable
    ) -> RowScopes<Selection<Rows.Element>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        view.part(at: rows, by: { $0.hasSameIDs(as: $1) }).scopes(of: store)
    }
}

extension Selection: Identifiable where Value: Identifiable {
    /// The id of the value, for the actions of a row. If this is the scope of a row, reading the id is not tracked,
    /// because the id of a row never changes. Otherwise it is tracked like ``value``.
    @inlinable
    public var id: Value.ID { rowID.map { $0 as! Value.ID } ?? value.id }
}
