public import Optics

extension Update {
    /// This update for each element of a collection: an event names the element by its id, and so does an effect.
    ///
    /// ```swift
    /// die.forEach(
    ///     model: Lens(\Table.dice), id: \.number, event: TableEvent.prism(for: TableEvent.die), effect: TableEffect.die
    /// )
    /// ```
    ///
    /// An event for an element that is not there changes nothing and has no effects. Finding the element costs a walk
    /// to it; it is changed where it lies. A change must keep the id: one that does not stops the process with a
    /// message, since the element would be lost to whoever knows it by that id.
    ///
    /// - Parameters:
    ///   - model: Where the elements lie in the parent's model.
    ///   - id: What an element is known by.
    ///   - event: Which of the parent's events are an element's, and whose.
    ///   - embed: What an element's effects are to the parent.
    @inlinable
    public func forEach<ParentModel, Elements, ID, ParentEvent, ParentEffect>(
        model: some AffineConvertible<ParentModel, Elements>,
        id: any KeyPath<Model, ID> & Sendable,
        event: some PrismConvertible<ParentEvent, (ID, Event)>,
        effect embed: @escaping @Sendable (ID, Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect>
    where
        Elements: MutableCollection & SendableMetatype, Elements.Element == Model, Elements.Index: SendableMetatype,
        ID: Equatable & Sendable
    {
        forEach(model: model, event: event, effect: embed) { wanted in .element(id: wanted, by: id) }
    }

    /// The same for elements that say themselves what their id is.
    @inlinable
    public func forEach<ParentModel, Elements, ParentEvent, ParentEffect>(
        model: some AffineConvertible<ParentModel, Elements>,
        event: some PrismConvertible<ParentEvent, (Model.ID, Event)>,
        effect embed: @escaping @Sendable (Model.ID, Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect>
    where
        Model: Identifiable & SendableMetatype, Model.ID: Sendable,
        Elements: MutableCollection & SendableMetatype, Elements.Element == Model, Elements.Index: SendableMetatype
    {
        forEach(model: model, event: event, effect: embed) { wanted in .element(id: wanted) }
    }

    @inlinable
    func forEach<ParentModel, Elements, ID: Sendable, ParentEvent, ParentEffect>(
        model: some AffineConvertible<ParentModel, Elements>,
        event: some PrismConvertible<ParentEvent, (ID, Event)>,
        effect embed: @escaping @Sendable (ID, Effect) -> ParentEffect,
        element: @escaping @Sendable (ID) -> Affine<Elements, Model>
    ) -> Update<ParentModel, ParentEvent, ParentEffect> {
        let (child, elements, prism) = (apply, model.asAffine, event.asPrism)
        return Update<ParentModel, ParentEvent, ParentEffect>(apply: { parent, event in
            guard
                let (id, event) = prism.extract(event),
                let change = elements.appending(element(id)).modify(&parent, { child(&$0, event) })
            else { return .none }
            return change.map { effect in embed(id, effect) }
        })
    }
}
