public import FunctionalCore

extension StateDispatcher {
    /// Returns this dispatcher with a policy for inputs that arrive while the work of an earlier input is under way.
    ///
    /// ```swift
    /// var search: StateDispatcher<Library, Results, String> {
    ///     .effectful { text in
    ///         EnvIO { library in
    ///             let found = try await library.books(about: text)
    ///             return .update { $0.books = found }
    ///         }
    ///     }
    /// }
    ///
    /// let latest = search.policy(.latest)
    /// let calm = search.policy(.debounce(for: .milliseconds(300), clock: clock))
    /// ```
    ///
    /// In a ``Component``, all actions of this dispatcher for one input form a workflow of their own. The workflow
    /// starts when the component reaches it among the actions of the input, or later if the policy delays it. The
    /// workflow and the asynchronous actions of other dispatchers do not wait for each other. A failure ends only the
    /// workflow in which it occurs. The handle that ``Component/send(_:)`` returns covers all workflows of the input.
    /// The policy `.concurrent` returns this dispatcher unchanged, so its actions form no workflow of their own.
    ///
    /// An input for which this dispatcher has no actions does not affect the policy. After the policy has cancelled the
    /// work of an input, that work commits no further change, even if it does not respond to cancellation.
    ///
    /// Policies nest. The outer policy decides first, and the inner policy decides about the work that the outer policy
    /// starts. If the inner policy delays this work, the outer policy regards it as already running. The outer policy
    /// can cancel work that the inner policy delays.
    ///
    /// A policy applies separately in each component, and separately in each place of a larger dispatcher. For example,
    /// if the returned dispatcher is widened twice, to two parts of a state, it has two places. Work in one place does
    /// not affect work in the other place. Each call of `widen`, `handleError` or `onChange` puts a dispatcher in a
    /// place of its own, and `forEach` does so for each element. If the returned dispatcher is combined with itself
    /// without such a call, it has only one place, and the policy receives each input twice.
    /// Each call of `policy` makes a dispatcher with places of its own. If it is in the body of a computed property, so
    /// does each access of the property.
    ///
    /// ``on(_:)`` returns the same actions with a policy and without. See <doc:PoliciesAndSubscriptions>.
    ///
    /// - Parameter policy: Decides whether and when the work of an input starts, and whether the start cancels earlier
    ///   work.
    @inlinable
    public func policy(_ policy: Policy) -> StateDispatcher {
        scoped(policy) { _ in [] }
    }

    /// Returns this dispatcher with a policy for inputs of the same id.
    ///
    /// ```swift
    /// save.policy(.queued, id: { input in input.file })
    /// ```
    ///
    /// Inputs of different ids do not affect one another, and neither do inputs of the same id in different places of a
    /// larger dispatcher. See `policy(_:)`.
    ///
    /// - Parameters:
    ///   - policy: Decides whether and when the work of an input starts, and whether the start cancels earlier work.
    ///   - id: Returns the id of an input.
    @inlinable
    public func policy<ID: Hashable & Sendable>(
        _ policy: Policy,
        id: @escaping @Sendable (Input) -> ID
    ) -> StateDispatcher {
        scoped(policy) { [AnyKey(id($0))] }
    }

    @usableFromInline
    func scoped(_ policy: Policy, key: @escaping @Sendable (Input) -> [AnyKey]) -> StateDispatcher {
        if case .concurrent = policy.kind { return self }
        let origin = ScopeID()
        return grouped { input, emissions, children in
            .scoped(
                PolicyScoped(
                    policy: policy, origin: origin, key: key(input), emissions: emissions, children: children))
        }
    }

    /// Returns a dispatcher with one emission for each input for which this dispatcher has emissions. `make` receives
    /// the emissions of this dispatcher, and the `children` of a `PolicyScoped`.
    func grouped(
        _ make:
            @escaping @Sendable (Input, [Emission<Environment, S>], _ children: [ChildPlace<S>?]?) -> Emission<
                Environment, S
            >
    ) -> StateDispatcher {
        let child = emit
        // All parts are one emission, and several parts have no common routing.
        let routing = parts.count == 1 ? parts[0].routing : nil
        return StateDispatcher(routing: routing) { input, perform in
            var emissions: [Emission<Environment, S>] = []
            var children: [ChildPlace<S>?]?
            child(input) { emission, child in
                if child != nil || children != nil || emission.isMixed {
                    add(child, to: &children, after: emissions.count)
                }
                emissions.append(emission)
            }
            if emissions.isEmpty { return }
            // A single emission needs no list of places.
            let place = emissions.count == 1 ? children?[0] : nil
            if place != nil, !emissions[0].isMixed { children = nil }
            perform(make(input, emissions, children), place)
        }
    }
}

/// Adds the place of the next emission. The emissions before the first call have no child.
private func add<S>(_ child: ChildPlace<S>?, to children: inout [ChildPlace<S>?]?, after count: Int) {
    children = (children.take() ?? Array(repeating: nil, count: count)) + [child]
}
