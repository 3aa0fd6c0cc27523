extension Subscription {
    /// Returns this subscription of a child as a subscription of its parent.
    ///
    /// ```swift
    /// subscriptions: { (tables: Tables) in
    ///     stopwatches(tables.left).map { $0.widen(id: "left", transformInput: TablesInput.left) }
    ///         + stopwatches(tables.right).map { $0.widen(id: "right", transformInput: TablesInput.right) }
    /// }
    /// ```
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
