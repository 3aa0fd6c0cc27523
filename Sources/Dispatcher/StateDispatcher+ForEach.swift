public import FunctionalCore
public import Optics

extension StateDispatcher {
    /// This dispatcher for each element of a collection: an input names the element by its id.
    ///
    /// ```swift
    /// enum DiceInput: AutoPrism { case die(id: Int, DieInput), add }
    ///
    /// die.forEach(state: Lens(\Table.dice), id: \.number, input: DiceInput.prism(for: DiceInput.die))
    /// ```
    ///
    /// An input for an element that is not there, or no longer when its action ends, changes nothing. Finding the
    /// element costs a walk to it; it is changed where it lies. A change must keep the id: one that does not stops the
    /// process with a message, since the element would be lost to whoever knows it by that id.
    @inlinable
    public func forEach<ParentState, Elements, ID, ParentInput>(
        state: some AffineConvertible<ParentState, Elements>,
        id: any KeyPath<S, ID> & Sendable,
        input: some PrismConvertible<ParentInput, (ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput>
    where
        Elements: MutableCollection & SendableMetatype, Elements.Element == S, Elements.Index: SendableMetatype,
        ID: Hashable & Sendable
    {
        forEach(state: state, input: input) { wanted in .element(id: wanted, by: id) }
    }

    /// The same for elements that say themselves what their id is.
    @inlinable
    public func forEach<ParentState, Elements, ParentInput>(
        state: some AffineConvertible<ParentState, Elements>,
        input: some PrismConvertible<ParentInput, (S.ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput>
    where
        S: Identifiable & SendableMetatype, S.ID: Sendable,
        Elements: MutableCollection & SendableMetatype, Elements.Element == S, Elements.Index: SendableMetatype
    {
        forEach(state: state, input: input) { wanted in .element(id: wanted) }
    }

    /// This dispatcher for each element of a collection: an input names the element by its index. An index that is out
    /// of range changes nothing.
    @inlinable
    public func forEachIndex<ParentState, Elements, ParentInput>(
        state: some AffineConvertible<ParentState, Elements>,
        input: some PrismConvertible<ParentInput, (Elements.Index, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput>
    where
        Elements: MutableCollection & RandomAccessCollection & SendableMetatype, Elements.Element == S,
        Elements.Index: Hashable & Sendable
    {
        forEach(state: state, input: input) { index in .index(index) }
    }

    @inlinable
    func forEach<ParentState, Elements, Key: Hashable & Sendable, ParentInput>(
        state: some AffineConvertible<ParentState, Elements>,
        input: some PrismConvertible<ParentInput, (Key, Input)>,
        element: @escaping @Sendable (Key) -> Affine<Elements, S>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        let (child, place) = (emit, Place())
        let elements = state.asAffine
        let prism = input.asPrism
        return StateDispatcher<Environment, ParentState, ParentInput>(routing: prism.routing) { input, emit in
            guard let (key, input) = prism.extract(input) else { return }
            let focus = elements.appending(element(key)).focusing
            child(input) { emit($0.mapChange(focus, at: [AnyKey(place), AnyKey(key)])) }
        }
    }
}
