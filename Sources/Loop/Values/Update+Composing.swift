// Re-exported: `AutoPrism`, `Prism` and `Lens` are visible in files that import only this module.
@_exported public import Optics

extension Update {
    /// Returns an update for a parent, which applies this update to the child's model, events and effects.
    ///
    /// ```swift
    /// let parent: Update<App, AppEvent, AppEffect> = counter.widen(
    ///     model: Lens(\.counter),
    ///     event: AppEvent.prism(for: AppEvent.counter),
    ///     effect: AppEffect.counter
    /// )
    /// ```
    ///
    /// An event that the prism does not match changes nothing and has no effects. The child's model is updated in
    /// place. If its optic is a `Prism` or an `Affine`, the child may be absent: an event for an absent child changes
    /// nothing and has no effects.
    ///
    /// - Parameters:
    ///   - model: The optic for the child's model in the parent's model. If parent and child have the same model, pass
    ///     `\.self`.
    ///   - event: The prism for the child's events among the parent's events. If both have the same events, pass
    ///     `Prism.identity`.
    ///   - embed: A function that turns the child's effects into the parent's. If both have the same effects, pass
    ///     `{ $0 }`, or call an overload for key paths without it. If the child has no effects, pass
    ///     `{ (_: Never) -> AppEffect in }`, where `AppEffect` is the type of the parent's effects.
    @inlinable
    public func widen<ParentModel, ParentEvent, ParentEffect>(
        model: some AffineProtocol<ParentModel, Model>,
        event: some PrismProtocol<ParentEvent, Event>,
        effect embed: @escaping @Sendable (Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect> {
        let (child, part, prism) = (apply, model.asAffine, event.asPrism)
        return Update<ParentModel, ParentEvent, ParentEffect>(apply: { parent, event in
            guard
                let event = prism.extract(event),
                let change = part.modify(&parent, { child(&$0, event) })
            else { return .none }
            return change.map(embed)
        })
    }
}

// MARK: - Key paths

extension Update {
    /// Returns an update for a parent whose model contains the child's model at a key path; see
    /// `widen(model:event:effect:)`.
    @inlinable
    public func widen<ParentModel, ParentEvent, ParentEffect>(
        model path: any WritableKeyPath<ParentModel, Model> & Sendable,
        event: some PrismProtocol<ParentEvent, Event>,
        effect embed: @escaping @Sendable (Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect> {
        widen(model: Lens(path), event: event, effect: embed)
    }

    /// Returns an update for a parent whose model contains the child's model at a key path, with the same effects; see
    /// `widen(model:event:effect:)`.
    @inlinable
    public func widen<ParentModel, ParentEvent>(
        model path: any WritableKeyPath<ParentModel, Model> & Sendable,
        event: some PrismProtocol<ParentEvent, Event>
    ) -> Update<ParentModel, ParentEvent, Effect> {
        widen(model: path, event: event, effect: { $0 })
    }
}

// MARK: - Combining

extension Update {
    /// Returns an update that applies all of `updates` to each event, in order.
    ///
    /// Each update receives the model that the updates before it returned. The effects are those of all updates, in
    /// that order. If none of the updates returns a model, neither does the combination.
    @inlinable
    public static func combine(_ updates: Update...) -> Update {
        combine(updates)
    }

    /// Returns an update that applies all of `updates` to each event, in order; see
    /// ``combine(_:)-(Update<Model,Event,Effect>...)``.
    @inlinable
    public static func combine(_ updates: [Update]) -> Update {
        let all = updates.map(\.apply)
        return Update(apply: { model, event in
            var isModelNew = false
            var effects: [Effect] = []
            for apply in all {
                let change = apply(&model, event)
                if change.isModelNew { isModelNew = true }
                if effects.isEmpty { effects = change.effects } else { effects += change.effects }
            }
            return Change(isModelNew: isModelNew, effects: effects)
        })
    }
}
