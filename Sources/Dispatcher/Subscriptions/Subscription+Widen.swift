extension Subscription {
    /// This subscription of a child as one of its parent.
    ///
    /// - Parameters:
    ///   - id: Which child it is. Those of different children are different, whatever their own ids.
    ///   - transformEnvironment: What the child may use, out of what the parent may; called for each start.
    ///   - transformInput: The parent's input for one of the child's.
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

    /// The same where the child uses what its parent does.
    public func widen<ParentInput>(
        id: some Hashable & Sendable,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> Subscription<Environment, ParentInput> {
        widen(id: id, transformEnvironment: { $0 }, transformInput: transformInput)
    }
}

extension Array {
    /// The subscriptions of a child as those of its parent; see
    /// `Subscription.widen(id:transformEnvironment:transformInput:)`.
    ///
    /// ```swift
    /// subscriptions: { (tables: Tables) in
    ///     stopwatches(tables.left).widen(id: "left", transformInput: TablesInput.left)
    ///         + stopwatches(tables.right).widen(id: "right", transformInput: TablesInput.right)
    /// }
    /// ```
    public func widen<Environment, Input, ParentEnvironment, ParentInput>(
        id: some Hashable & Sendable,
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> [Subscription<ParentEnvironment, ParentInput>] where Element == Subscription<Environment, Input> {
        map { $0.widen(id: id, transformEnvironment: transformEnvironment, transformInput: transformInput) }
    }

    /// The same where the child uses what its parent does.
    public func widen<Environment, Input, ParentInput>(
        id: some Hashable & Sendable,
        transformInput: @escaping @Sendable (Input) -> ParentInput
    ) -> [Subscription<Environment, ParentInput>] where Element == Subscription<Environment, Input> {
        map { $0.widen(id: id, transformInput: transformInput) }
    }
}
