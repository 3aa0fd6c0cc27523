extension Subscription {
    /// Returns this subscription of a child as a subscription of its parent.
    ///
    /// - Parameters:
    ///   - id: The id of the child within its parent. It becomes a part of the subscription's id. So two children with
    ///     different ids can have subscriptions that were created with the same id.
    ///   - transformEnvironment: Returns the child's environment. Called for each start.
    ///   - transformInput: Returns the parent's input for an input of the child.
    public func widen<ParentEnvironment, ParentInput>(
        id: some Hashable & Sendable,
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> Subscription<ParentEnvironment, ParentInput> {
        let run = run
        return Subscription<ParentEnvironment, ParentInput>(id: self.id.within(id)) { environment, send in
            try await run(transformEnvironment(environment)) { input in send(transformInput(input)) }
        }
    }

    /// Returns this subscription of a child as a subscription of a parent that has the same environment.
    ///
    /// - Parameters:
    ///   - id: The id of the child within its parent.
    ///   - transformInput: Returns the parent's input for an input of the child.
    public func widen<ParentInput>(
        id: some Hashable & Sendable,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> Subscription<Environment, ParentInput> {
        widen(id: id, transformEnvironment: { $0 }, transformInput: transformInput)
    }
}

extension Array {
    /// Returns the subscriptions of a child as subscriptions of its parent.
    ///
    /// ```swift
    /// subscriptions: { (tables: Tables) in
    ///     stopwatches(tables.left).widen(id: "left", transformInput: TablesInput.left)
    ///         + stopwatches(tables.right).widen(id: "right", transformInput: TablesInput.right)
    /// }
    /// ```
    ///
    /// See `Subscription.widen(id:transformEnvironment:transformInput:)`.
    public func widen<Environment, Input, ParentEnvironment, ParentInput>(
        id: some Hashable & Sendable,
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> [Subscription<ParentEnvironment, ParentInput>] where Element == Subscription<Environment, Input> {
        map { $0.widen(id: id, transformEnvironment: transformEnvironment, transformInput: transformInput) }
    }

    /// Returns the subscriptions of a child as subscriptions of a parent that has the same environment.
    ///
    /// See `Subscription.widen(id:transformInput:)`.
    public func widen<Environment, Input, ParentInput>(
        id: some Hashable & Sendable,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> [Subscription<Environment, ParentInput>] where Element == Subscription<Environment, Input> {
        map { $0.widen(id: id, transformInput: transformInput) }
    }
}
