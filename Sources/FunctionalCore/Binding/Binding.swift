/// Returns a program that runs `steps` in order, and succeeds with `value`.
///
/// Each step may read the variables that earlier steps bound. This is a monad comprehension in the notation of Bow.
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
/// The values of the variables belong to one run, so the same description may run any number of times at once. If a
/// step fails, the whole program fails and the remaining steps do not run.
///
/// An `async` closure expresses the same without operators. Prefer it if you can:
///
/// ```swift
/// let page = EnvIO<Server, any Error, Page> { server in
///     Page(user: server.user, posts: try await server.posts(of: server.user))
/// }
/// ```
///
/// - Parameters:
///   - steps: The steps, made by `<-`, `|<-` and `continueOn`.
///   - value: The value of the program. Evaluated in each run, after the last step.
public func binding<Environment, Failure: Error, Value>(
    _ steps: BindingStep<Environment, Failure>...,
    yield value: @escaping @Sendable @autoclosure () -> Value
) -> EnvIO<Environment, Failure, Value> {
    bind(steps) { machine in machine.put(value()) }
}

/// Returns a program that runs `steps` in order, and succeeds with a `State`.
///
/// The closures of the `State` run after the binding has ended. They may still read the variables of the binding.
public func binding<Environment, Failure: Error, S, Value>(
    _ steps: BindingStep<Environment, Failure>...,
    yield value: @escaping @Sendable @autoclosure () -> State<S, Value>
) -> EnvIO<Environment, Failure, State<S, Value>> {
    bind(steps) { machine in machine.put(value().reading(machine.core.bindings)) }
}

func bind<Environment, Failure: Error, Value>(
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
                machine.core.next = first
                return .jump
            }
        )
    )
}

extension Machine {
    /// Pushes a node that restores the present value of `core.bindings` when the program that runs next ends.
    fileprivate mutating func pushRestoringBindings() {
        let outer = core.bindings
        push(
            Node(accepting: .anyEnd) { machine in
                guard machine.core.bindings !== outer else { return machine.core.arrived }
                machine.core.bindings = outer
                machine.core.pending = machine.core.arrived
                return .rescope
            }
        )
    }
}

extension State {
    /// Returns this program with `bindings` as the variables that its closures can read.
    fileprivate func reading(_ bindings: Bindings?) -> State {
        guard let bindings else { return self }
        let program = node
        return State(
            form: .node(
                Node { machine in
                    machine.pushRestoringBindings()
                    machine.core.bindings = bindings
                    machine.core.next = program
                    machine.core.pending = .jump
                    return .rescope
                }
            )
        )
    }
}
