public import FunctionalCore

extension StateDispatcher {
    /// This dispatcher with a policy for inputs that come while what an earlier one started is still going on.
    ///
    /// ```swift
    /// let search = StateDispatcher<Library, Results, String>.effectful { text in
    ///     EnvIO { library in
    ///         let found = try await library.books(about: text)
    ///         return .update { $0.books = found }
    ///     }
    /// }
    /// let latest = search.policy(.latest)
    /// let calm = search.policy(.debounce(for: .milliseconds(300), clock: clock))
    /// ```
    ///
    /// In a ``Component``, all that this dispatcher has to do for one input is then a workflow of its own. It begins at
    /// its place in the order, or when the policy says so. It does not wait for other actions of that input that wait,
    /// nor they for it, and a failure ends the one workflow or the other. The handle of ``Component/send(_:)`` is for
    /// all of it. An input for which there is nothing to do is not one for the policy, either.
    ///
    /// Whatever the policy, a result of an older input is never committed after one of a newer that took its place.
    /// Under `.concurrent` the dispatcher stays as it is. A policy around another holds for all that the inner lets
    /// through: outer work lasts until the inner has ended, and is cancelled with it.
    ///
    /// It is the same policy for all components that the dispatcher is in, and each has work of its own; so have the
    /// places that a dispatcher is put to by `widen`, `forEach`, each element for itself, and what else makes one
    /// dispatcher of another. One that stands in a place twice is one for its policy, as if an input had come twice.
    /// What ``on(_:)`` returns knows no policy.
    @inlinable
    public func policy(_ policy: Policy) -> StateDispatcher {
        policed(policy) { _ in [] }
    }

    /// This dispatcher with a policy among inputs of the same id; those of different ids have nothing to do with each
    /// other.
    ///
    /// ```swift
    /// save.policy(.queued, id: { input in input.file })
    /// ```
    ///
    /// Ids are those of this place: the same id elsewhere is another. See `policy(_:)`.
    @inlinable
    public func policy<ID: Hashable & Sendable>(
        _ policy: Policy,
        id: @escaping @Sendable (Input) -> ID
    ) -> StateDispatcher {
        policed(policy) { [AnyKey(id($0))] }
    }

    /// A dispatcher with any number of actions for each input, and a policy for inputs that come while they still run;
    /// see `policy(_:)`.
    ///
    /// ```swift
    /// .workflow(policy: .latest) { text in
    ///     [.pure(.update { $0.isLoading = true }), results(of: text)]
    /// }
    /// ```
    @inlinable
    public static func workflow(
        policy: Policy,
        _ actions: @escaping @Sendable (Input) -> [Action]
    ) -> StateDispatcher {
        workflow(actions).policy(policy)
    }

    /// The same with a policy among inputs of the same id; see ``policy(_:id:)``.
    @inlinable
    public static func workflow<ID: Hashable & Sendable>(
        policy: Policy,
        id: @escaping @Sendable (Input) -> ID,
        _ actions: @escaping @Sendable (Input) -> [Action]
    ) -> StateDispatcher {
        workflow(actions).policy(policy, id: id)
    }

    @usableFromInline
    func policed(_ policy: Policy, key: @escaping @Sendable (Input) -> [AnyKey]) -> StateDispatcher {
        if case .concurrent = policy.kind { return self }
        let (child, origin) = (emit, Place())
        // Several parts are one to the policy, which only trying tells whether it has something to do.
        let routing = parts.count == 1 ? parts[0].routing : nil
        return StateDispatcher(routing: routing) { input, emit in
            var emissions: [Emission<Environment, S>] = []
            child(input) { emissions.append($0) }
            if emissions.isEmpty { return }
            emit(.policed(Policed(policy: policy, origin: origin, key: key(input), emissions: emissions)))
        }
    }
}
