public import ArchitectureEngine
public import Optics

extension Update {
    /// Returns this update with further effects for each row that an event removes.
    ///
    /// ```swift
    /// update.onRemoval(of: Lens(\Screen.page).some().rows) { id in [.cancel(id)] }
    /// ```
    ///
    /// An effect of a loop is a value, which belongs to no row. ``forEach(model:id:event:effect:)`` sees only the event
    /// of one row, and not its removal. So the update that removes rows returns the effects that end their work, such as
    /// those of a route with ``EffectRoute/toCancel(_:)``.
    ///
    /// A row is removed if its id occurs before the event and not after it. A row that moves or changes is not. If
    /// several rows have the id, `effects` is called once. The effects come after those of this update, in the order of
    /// the rows before the event. Rows count as absent while their collection is absent.
    ///
    /// Apply this function to the update that contains all updates that remove rows, mostly the outermost one. The
    /// models that a loop or a controller starts from are not compared.
    ///
    /// - Complexity: O(n) for each event in the number of rows. Only the ids are kept during the event, so rows that are
    ///   changed in place are not copied.
    /// - Parameters:
    ///   - rows: The optic for the rows in the model.
    ///   - effects: Returns the effects for the id of a removed row.
    @inlinable
    public func onRemoval<Rows: Collection & SendableMetatype>(
        of rows: some AffineProtocol<Model, Rows>,
        _ effects: @escaping @Sendable (Rows.Element.ID) -> [Effect]
    ) -> Update where Rows.Element: Identifiable & SendableMetatype, Rows.Element.ID: SendableMetatype {
        let rows = rows.asAffine
        return onRemoval(ofIDs: { rows.extract($0)?.map(\.id) ?? [] }, effects)
    }

    /// Returns this update with further effects for each row at a key path that an event removes; see
    /// `onRemoval(of:_:)`.
    ///
    /// ```swift
    /// update.onRemoval(of: \.uploads) { id in [.cancel(id)] }
    /// ```
    @inlinable
    public func onRemoval<Rows: Collection & SendableMetatype>(
        of path: any KeyPath<Model, Rows> & Sendable,
        _ effects: @escaping @Sendable (Rows.Element.ID) -> [Effect]
    ) -> Update where Rows.Element: Identifiable & SendableMetatype, Rows.Element.ID: SendableMetatype {
        onRemoval(ofIDs: { $0[keyPath: path].map(\.id) }, effects)
    }

    /// Returns this update with further effects for an event that removes a child, or replaces it by one with another
    /// id.
    ///
    /// ```swift
    /// update.onRemoval(of: Lens(\Screen.page).some()) { id in [.cancel(id)] }
    /// ```
    ///
    /// The effects come after those of this update. An effect that the same event returns for the next child needs
    /// another id, or it is cancelled, too. The other rules are those of rows; see `onRemoval(of:_:)`.
    ///
    /// - Parameters:
    ///   - child: The optic for the child in the model, which may be absent.
    ///   - effects: Returns the effects for the id of the child that is gone.
    @inlinable
    public func onRemoval<Child: Identifiable & SendableMetatype>(
        of child: some AffineProtocol<Model, Child>,
        _ effects: @escaping @Sendable (Child.ID) -> [Effect]
    ) -> Update where Child.ID: SendableMetatype {
        let child = child.asAffine
        return onRemoval(ofIDs: { child.extract($0).map { [$0.id] } ?? [] }, effects)
    }

    /// Returns this update with further effects for an event that removes a child. If the child is `Identifiable`, also
    /// for an event that replaces it by one with another id.
    ///
    /// ```swift
    /// update.onRemoval(of: Lens(\Screen.note).some()) { [.cancelNote] }
    /// ```
    ///
    /// The effects come after those of this update. A child without an id that is replaced by another one in the same
    /// event is not seen. The other rules are those of rows; see `onRemoval(of:_:)`.
    ///
    /// - Parameters:
    ///   - child: The optic for the child in the model, which may be absent.
    ///   - effects: Returns the effects.
    @inlinable
    public func onRemoval<Child: SendableMetatype>(
        of child: some AffineProtocol<Model, Child>,
        _ effects: @escaping @Sendable () -> [Effect]
    ) -> Update {
        let (apply, child) = (apply, child.asAffine)
        return Update(apply: { model, event in
            // Keeps the id, and not the child.
            let isSame = child.extract(model).map { sameIdentity(as: $0) ?? { _ in true } }
            let change = apply(&model, event)
            guard let isSame, change.isModelNew, child.extract(model).map(isSame) != true else { return change }
            return Change(isModelNew: true, effects: change.effects + effects())
        })
    }

    @inlinable
    func onRemoval<ID: Hashable & SendableMetatype>(
        ofIDs ids: @escaping @Sendable (Model) -> [ID], _ effects: @escaping @Sendable (ID) -> [Effect]
    ) -> Update {
        let apply = apply
        return Update(apply: { model, event in
            let old = ids(model)
            let change = apply(&model, event)
            if old.isEmpty || !change.isModelNew { return change }
            let new = ids(model)
            if old == new { return change }
            // Contains the ids that are still there, and those whose effects have been appended.
            var known = Set(new)
            let removed = old.filter { known.insert($0).inserted }
            return Change(isModelNew: true, effects: change.effects + removed.flatMap(effects))
        })
    }
}
