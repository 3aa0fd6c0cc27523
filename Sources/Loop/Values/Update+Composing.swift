public import Optics

extension Update {
    /// This update as one of a larger model, with larger events and effects: a child becomes a part of its parent.
    ///
    /// ```swift
    /// let parent: Update<App, AppEvent, AppEffect> = counter.widen(
    ///     model: Lens(\.counter),
    ///     event: AppEvent.prism(for: AppEvent.counter),
    ///     effect: AppEffect.counter
    /// )
    /// ```
    ///
    /// An event that the prism does not match changes nothing, and costs no more than asking the prism. The child's
    /// model is changed in place. Its optic may be a lens, or one for a part that can be absent (`Prism`, `Affine`): an
    /// event for a child that is not there changes nothing and has no effects.
    ///
    /// - Parameters:
    ///   - model: Where the child's model lies in the parent's; for the same model, `\.self`.
    ///   - event: Which of the parent's events are the child's; left out, with `effect`, where all are.
    ///   - embed: What the child's effects are to the parent; left out where they are the same.
    @inlinable
    public func widen<ParentModel, ParentEvent, ParentEffect>(
        model: some AffineConvertible<ParentModel, Model>,
        event: some PrismConvertible<ParentEvent, Event>,
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

    /// This update for a larger model and events, with the same effects; see `widen(model:event:effect:)`.
    @inlinable
    public func widen<ParentModel, ParentEvent>(
        model: some AffineConvertible<ParentModel, Model>,
        event: some PrismConvertible<ParentEvent, Event>
    ) -> Update<ParentModel, ParentEvent, Effect> {
        widen(model: model, event: event, effect: { $0 })
    }

    /// This update for a larger model, with the same events and effects; see `widen(model:event:effect:)`.
    @inlinable
    public func widen<ParentModel>(
        model: some AffineConvertible<ParentModel, Model>
    ) -> Update<ParentModel, Event, Effect> {
        widen(model: model, event: Prism<Event, Event>.identity)
    }
}

// MARK: - Children without effects

extension Update where Effect == Never {
    /// This update, which has no effects, for a larger model and events, whatever the effects; see
    /// `widen(model:event:effect:)`.
    @inlinable
    public func widen<ParentModel, ParentEvent, ParentEffect>(
        model: some AffineConvertible<ParentModel, Model>,
        event: some PrismConvertible<ParentEvent, Event>,
        effect _: ParentEffect.Type
    ) -> Update<ParentModel, ParentEvent, ParentEffect> {
        let (child, part, prism) = (apply, model.asAffine, event.asPrism)
        return Update<ParentModel, ParentEvent, ParentEffect>(apply: { parent, event in
            guard
                let event = prism.extract(event),
                let change = part.modify(&parent, { child(&$0, event) })
            else { return .none }
            return Change(isModelNew: change.isModelNew, effects: [])
        })
    }
}

// MARK: - Key paths

extension Update {
    /// The same with the child's model at a key path.
    @inlinable
    public func widen<ParentModel, ParentEvent, ParentEffect>(
        model path: any WritableKeyPath<ParentModel, Model> & Sendable,
        event: some PrismConvertible<ParentEvent, Event>,
        effect embed: @escaping @Sendable (Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect> {
        widen(model: Lens(path), event: event, effect: embed)
    }

    /// The same with the child's model at a key path.
    @inlinable
    public func widen<ParentModel, ParentEvent>(
        model path: any WritableKeyPath<ParentModel, Model> & Sendable,
        event: some PrismConvertible<ParentEvent, Event>
    ) -> Update<ParentModel, ParentEvent, Effect> {
        widen(model: Lens(path), event: event)
    }

    /// The same with the child's model at a key path.
    @inlinable
    public func widen<ParentModel>(
        model path: any WritableKeyPath<ParentModel, Model> & Sendable
    ) -> Update<ParentModel, Event, Effect> {
        widen(model: Lens(path))
    }
}

// MARK: - Combining

extension Update {
    /// All of `updates`, one after the other for each event: each sees the model that those before it left, and the
    /// effects are those of all, in that order.
    @inlinable
    public static func combine(_ updates: Update...) -> Update {
        combine(updates)
    }

    /// All of `updates`; see `combine(_:)`.
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
