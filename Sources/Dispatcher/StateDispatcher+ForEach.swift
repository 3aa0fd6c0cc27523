public import FunctionalCore
public import Optics

extension StateDispatcher {
    /// Returns a dispatcher that applies this dispatcher to the elements of a collection. The input contains the id of
    /// the element.
    ///
    /// ```swift
    /// enum DiceInput: AutoPrism { case die(id: Int, DieInput), add }
    ///
    /// die.forEach(state: Lens(\Table.dice), id: \.number, input: DiceInput.prism(for: DiceInput.die))
    /// ```
    ///
    /// An action for an id that no element has does not begin. When a change removes the element, the work for it is
    /// cancelled; see <doc:Lifetimes>. If several elements have the id, an action changes the first such element.
    ///
    /// The element is changed in place. A change must keep the id of the element. A change to another id traps with a
    /// message, because later inputs would no longer find the element.
    ///
    /// - Complexity: O(n) in the number of elements for each change, to find the element.
    /// - Parameters:
    ///   - state: The collection as a part of the parent's state.
    ///   - id: The key path to the id of an element.
    ///   - input: The prism from the parent's input to the id of an element and the input for that element.
    @inlinable
    public func forEach<ParentState, Elements, ID, ParentInput>(
        state: some AffineProtocol<ParentState, Elements>,
        id: any KeyPath<S, ID> & Sendable,
        input: some PrismProtocol<ParentInput, (ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput>
    where
        Elements: MutableCollection & SendableMetatype, Elements.Element == S, Elements.Index: SendableMetatype,
        ID: Hashable & Sendable
    {
        forEach(
            state: state, element: { key in .element(id: key, by: id) },
            find: { key, rows in ChildReader(in: rows) { $0[keyPath: id] == key } }, input: input)
    }

    /// Returns a dispatcher that applies this dispatcher to the `Identifiable` elements of the collection at a key
    /// path.
    ///
    /// ```swift
    /// row.forEach(state: \.rows, input: ScreenInput.prism(for: ScreenInput.row))
    /// ```
    ///
    /// See `forEach(state:id:input:)`.
    @inlinable
    public func forEach<ParentState, Elements, ParentInput>(
        state path: any WritableKeyPath<ParentState, Elements> & Sendable,
        input: some PrismProtocol<ParentInput, (S.ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput>
    where
        S: Identifiable & SendableMetatype, S.ID: Sendable,
        Elements: MutableCollection & SendableMetatype, Elements.Element == S, Elements.Index: SendableMetatype
    {
        forEach(
            state: Lens(path), element: { .element(id: $0) },
            find: { key, rows in ChildReader(in: rows) { $0.id == key } }, input: input)
    }

    /// Returns a dispatcher that applies this dispatcher to the elements of a container. The function `element` returns
    /// the optic of the element with an id.
    ///
    /// Use this for a container that finds elements in O(1), such as a dictionary:
    ///
    /// ```swift
    /// user.forEach(
    ///     state: Lens(\App.users), element: Affine.element(id:), input: AppInput.prism(for: AppInput.user))
    /// ```
    ///
    /// Work ends with its element, as for `forEach(state:id:input:)`. The element is changed in place.
    ///
    /// - Complexity: The cost of an update through `element`, for each change.
    /// - Parameters:
    ///   - state: The container as a part of the parent's state.
    ///   - element: Returns the optic of the element with an id.
    ///   - input: The prism from the parent's input to the id of an element and the input for that element.
    @inlinable
    public func forEach<ParentState, Elements, ID: Hashable & Sendable, ParentInput>(
        state: some AffineProtocol<ParentState, Elements>,
        element: @escaping @Sendable (ID) -> Affine<Elements, S>,
        input: some PrismProtocol<ParentInput, (ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        let find: @Sendable (ID, Elements) -> ChildReader<Elements, S>? = { key, elements in
            let element = element(key)
            return ChildReader(in: elements) { element.extract($0) }
        }
        return forEach(state: state, element: element, find: find, input: input)
    }

    /// Unavailable. The compiler selects this overload if the environment of the element is not that of the parent, and
    /// then shows the message below.
    @available(
        *, unavailable,
        message: "The element's environment is not that of the parent. To fix, call widen(transformEnvironment:) first."
    )
    public func forEach<ParentEnvironment, ParentState, Elements, ParentInput>(
        state path: any WritableKeyPath<ParentState, Elements> & Sendable,
        input: some PrismProtocol<ParentInput, (S.ID, Input)>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput>
    where
        S: Identifiable & SendableMetatype, S.ID: Sendable,
        Elements: MutableCollection & SendableMetatype, Elements.Element == S, Elements.Index: SendableMetatype
    {
        fatalError()
    }

    @inlinable
    func forEach<ParentState, Elements, ID: Hashable & Sendable, ParentInput>(
        state: some AffineProtocol<ParentState, Elements>,
        element: @escaping @Sendable (ID) -> Affine<Elements, S>,
        find: @escaping @Sendable (ID, Elements) -> ChildReader<Elements, S>?,
        input: some PrismProtocol<ParentInput, (ID, Input)>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        let (child, place) = (emit, ScopeID())
        let (elements, prism) = (state.asAffine, input.asPrism)
        let list = RowList<ParentState, S, ID>(key: AnyKey(place)) { key, state in
            elements.extract(state).flatMap { find(key, $0) }?.within { elements.extract($0) }
        }
        return StateDispatcher<Environment, ParentState, ParentInput>(routing: prism.routing) { input, perform in
            guard let (key, input) = prism.extract(input) else { return }
            let focus = elements.appending(element(key)).focusing
            let row = RowPlace(list, key)
            child(input) { emission, child in
                perform(emission.mapChange(focus, row, at: [AnyKey(place), AnyKey(key)]), row.lift(child))
            }
        }
    }
}
