public import FunctionalCore

extension StateDispatcher {
    /// Returns this dispatcher with a change of the state for the case that the running work of an input is cancelled.
    ///
    /// ```swift
    /// var search: StateDispatcher<Library, Results, String> {
    ///     .workflow { text in
    ///         [
    ///             .pure(.update { $0.isSearching = true }),
    ///             EnvIO { library in
    ///                 let books = try await library.books(about: text)
    ///                 return .set(Results(books: books))
    ///             },
    ///         ]
    ///     }
    ///     .onCancel { _ in .update { $0.isSearching = false } }
    ///     .policy(.latest)
    /// }
    /// ```
    ///
    /// The change is made at most once for each input: when a policy cancels the work in favor of newer work, or when
    /// ``SendTask/cancel()`` cancels it. It is made before newer work of a policy begins. If the handle cancels the work,
    /// it is made at once if the component is idle, and in turn otherwise. It is not made if
    /// - the work has not begun, because a policy lets it wait or drops it,
    /// - all actions of the workflow have ended or an action of it has failed,
    /// - the child or the component has ended; see <doc:Lifetimes>.
    ///
    /// Work that has made a change and whose other work waits for a policy has begun. If parts of this dispatcher have
    /// policies of their own, the change is made when the first of them is cancelled, and the others go on.
    ///
    /// Like a dispatcher with a policy, this dispatcher forms a workflow of its own, and `onCancel` may come before or
    /// after `policy`. ``on(_:)`` returns the same actions with `onCancel` and without.
    ///
    /// - Parameter change: Returns the change for the input whose work is cancelled.
    public func onCancel(_ change: @escaping @Sendable (Input) -> State<S, Void>) -> StateDispatcher
    where Input: Sendable {
        let origin = ScopeID()
        return grouped { input, emissions, children in
            let group = CancelGroup()
            // `change` is called only if the work is cancelled.
            let onCancel = OnCancel<Environment, S>(
                group: group, change: .change(State { state in change(input).run(&state) }))
            let emissions = emissions.map { $0.cancelling(onCancel) }
            if emissions.count == 1, case .scoped = emissions[0] { return emissions[0] }
            return .scoped(
                PolicyScoped(
                    policy: .concurrent, origin: origin, key: [], emissions: emissions, children: children,
                    cancelling: [onCancel]))
        }
    }
}
