/// Steps one after the other, each of which may read what the earlier ones bound, and a value at the end: a monad
/// comprehension, as Bow spells it.
///
/// ```swift
/// let user = EnvIO<Server, any Error, User>.var()
/// let posts = EnvIO<Server, any Error, [Post]>.var()
/// let page = binding(
///     user <- .access { server in server.user },
///     posts <- loadPosts(of: user.get),
///     yield: Page(user: user.get, posts: posts.get)
/// )
/// ```
///
/// The variables belong to one run: the same description may run any number of times at once. The first step that fails
/// ends the whole. The plain `async` closure says the same in Swift's own words; prefer it where you can:
///
/// ```swift
/// let page = EnvIO<Server, any Error, Page> { server in
///     Page(user: server.user, posts: try await server.posts(of: server.user))
/// }
/// ```
public func binding<Environment, Failure: Error, Value>(
    _ steps: BindingStep<Environment, Failure>...,
    yield value: @escaping @Sendable @autoclosure () -> Value
) -> EnvIO<Environment, Failure, Value> {
    bind(steps) { machine in machine.put(value()) }
}

/// The same for a `State`: its closures run after the binding has ended, and may read its variables all the same.
public func binding<Environment, Failure: Error, S, Value>(
    _ steps: BindingStep<Environment, Failure>...,
    yield value: @escaping @Sendable @autoclosure () -> State<S, Value>
) -> EnvIO<Environment, Failure, State<S, Value>> {
    bind(steps) { machine in machine.put(value().reading(machine.bindings)) }
}

private func bind<Environment, Failure: Error, Value>(
    _ steps: [BindingStep<Environment, Failure>],
    yield value: @escaping @Sendable (inout Machine) -> Void
) -> EnvIO<Environment, Failure, Value> {
    let last = Node { machine in
        value(&machine)
        return .value
    }
    let first = steps.reversed().reduce(last) { rest, step in step.node(rest) }
    return EnvIO(
        form: .node(
            Node { machine in
                machine.pushRestoringExecutor()
                machine.pushRestoringBindings()
                machine.next = first
                return .jump
            }
        )
    )
}

extension Machine {
    /// Sees to it that the variables of a binding end with it.
    fileprivate mutating func pushRestoringBindings() {
        let outer = bindings
        push(
            Node(accepting: .anyEnd) { machine in
                guard machine.bindings !== outer else { return machine.arrived }
                machine.bindings = outer
                machine.pending = machine.arrived
                return .rescope
            }
        )
    }
}

extension State {
    /// This program, whose closures may read `bindings`.
    fileprivate func reading(_ bindings: Bindings?) -> State {
        guard let bindings else { return self }
        let program = node
        return State(
            form: .node(
                Node { machine in
                    machine.pushRestoringBindings()
                    machine.bindings = bindings
                    machine.next = program
                    machine.pending = .jump
                    return .rescope
                }
            )
        )
    }
}
