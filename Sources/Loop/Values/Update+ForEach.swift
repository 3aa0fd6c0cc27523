public import Optics

extension Update {
    /// Returns an update for a collection, which applies this update to the element whose ID the event contains.
    ///
    /// The element's effects are embedded together with its ID.
    ///
    /// ```swift
    /// die.forEach(
    ///     model: Lens(\Table.dice), id: \.number, event: TableEvent.prism(for: TableEvent.die), effect: TableEffect.die
    /// )
    /// ```
    ///
    /// An event for an ID that no element has changes nothing and has no effects. If several elements have the ID, the
    /// first such element is updated. The element is updated in place. An update must keep the element's ID; otherwise
    /// it traps with a message, since later events could not find the element.
    ///
    /// Removing an element does not cancel the effects that are being handled for it. `onRemoval(of:_:)` returns effects
    /// that do.
    ///
    /// - Complexity: O(n) for each event, where n is the number of elements.
    /// - Parameters:
    ///   - model: The optic for the collection in the parent's model.
    ///   - id: The key path of an element's ID.
    ///   - event: The prism that extracts an element's ID and an event for the element from a parent's event.
    ///   - embed: A function that returns a parent's effect for an element's ID and an effect of the element.
    @inlinable
    public func forEach<ParentModel, Elements, ID, ParentEvent, ParentEffect>(
        model: some AffineProtocol<ParentModel, Elements>,
        id: any KeyPath<Model, ID> & Sendable,
        event: some PrismProtocol<ParentEvent, (ID, Event)>,
        effect embed: @escaping @Sendable (ID, Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect>
    where
        Elements: MutableCollection & SendableMetatype, Elements.Element == Model, Elements.Index: SendableMetatype,
        ID: Equatable & Sendable
    {
        forEach(model: model, element: { wanted in .element(id: wanted, by: id) }, event: event, effect: embed)
    }

    /// Returns an update for the collection of `Identifiable` elements at a key path, which applies this update to the
    /// element whose ID the event contains; see `forEach(model:id:event:effect:)`.
    @inlinable
    public func forEach<ParentModel, Elements, ParentEvent, ParentEffect>(
        model path: any WritableKeyPath<ParentModel, Elements> & Sendable,
        event: some PrismProtocol<ParentEvent, (Model.ID, Event)>,
        effect embed: @escaping @Sendable (Model.ID, Effect) -> ParentEffect
    ) -> Update<ParentModel, ParentEvent, ParentEffect>
    where
        Model: Identifiable & SendableMetatype, Model.ID: Sendable,
        Elements: MutableCollection & SendableMetatype, Elements.Element == Model, Elements.Index: SendableMetatype
    {
        forEach(model: Lens(path), element: { wanted in .element(id: wanted) }, event: event, effect: embed)
    }

    /// Returns an update for a container, which applies this update to the element whose ID the event contains. The
    /// function `element` returns the optic of the element with an ID.
    ///
    /// Use this for a container that finds elements in O(1), such as a dictionary: pass `Affine.element(id:)`. See
    /// `forEach(model:id:event:effect:)` for the other parameters.
    ///
    /// - Complexity: The cost of an update through `element`, for each event.
    @inlinable
    public func forEach<ParentModel, Elements, ID: Sendable, ParentEvent, ParentEffect>(
        model: some AffineProtocol<ParentModel, Elements>,
        element: @escaping @Sendable (ID) -> Affine<Elements, Model>,
        event: some PrismProtocol<ParentEvent, (ID, Event)>,
        effect embed: @escaping @Sendable (ID, Effect) -> ParentEffect
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
