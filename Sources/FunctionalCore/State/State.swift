/// A description of a computation that reads and changes a state, and returns a value.
///
/// A program is a value: you can store it and compose it. Creating a program runs nothing.
///
/// ```swift
/// let next = State<Int, Int>.update { count in
///     count += 1
///     return count
/// }
/// next.run(41)  // (42, 42)
/// ```
///
/// ``run(_:)->Value`` changes the state in place: a program that changes one element of an array does not copy the
/// array, unless its storage is shared. Programs of any length run, and are deallocated, in constant stack space.
///
/// The state monad comes from Bow. There, a program takes a state and returns a new state; changing the state in place
/// is an addition.
@frozen
public struct State<S, Value> {
    @usableFromInline
    enum Form: Sendable {
        /// A closure that nests at most `Limits.depth` closures.
        case sync(@Sendable (inout S) -> Value, depth: UInt8)
        case node(Node)
    }

    @usableFromInline
    let form: Form

    @inlinable
    @inline(__always)
    init(form: Form) {
        self.form = form
    }
}

extension State: Sendable {}

// MARK: - Creating a program

extension State {
    /// Creates a program that calls `change` with the state and returns its result.
    ///
    /// `change` changes the state in place.
    @inlinable
    public init(_ change: @escaping @Sendable (inout S) -> Value) {
        self.init(form: .sync(change, depth: 1))
    }

    /// Returns a program that calls `change` with the state and returns its result.
    ///
    /// `change` changes the state in place.
    ///
    /// ```swift
    /// State<[Int], Void>.update { $0[7] += 1 }  // copies nothing
    /// ```
    @inlinable
    public static func update(_ change: @escaping @Sendable (inout S) -> Value) -> State {
        State(change)
    }

    /// Returns a program that returns `value` and does not change the state.
    @inlinable
    public static func pure(_ value: Value) -> State where Value: Sendable {
        State { _ in value }
    }

    /// Returns a program that returns the result of `read` for the state.
    @inlinable
    public static func inspect(_ read: @escaping @Sendable (S) -> Value) -> State {
        State { state in read(state) }
    }

    /// Returns a program that returns the state.
    @inlinable
    public static func get() -> State where Value == S {
        State { state in state }
    }
}

extension State where Value == Void {
    /// Returns a program that replaces the state by `state`.
    ///
    /// The description stores `state`, so it must be `Sendable`.
    @inlinable
    public static func set(_ state: S) -> State where S: Sendable {
        State { $0 = state }
    }

    /// Returns a program that replaces the state by the result of `transform`.
    ///
    /// To change a small part of a large state without a copy, use ``update(_:)``.
    @inlinable
    public static func modify(_ transform: @escaping @Sendable (S) -> S) -> State {
        State { state in state = transform(state) }
    }
}

// MARK: - Composing

extension State {
    /// Returns a program that calls `run` with a whole state. `run` must run this program on a part of that state.
    ///
    /// Nested programs use the thread's stack when they run. They are deallocated in constant stack space: after every
    /// `Limits.depth` nested closures, the returned program is a node, and `Teardown` limits the recursion of nodes.
    @inlinable
    package func nested<Whole, NewValue>(
        _ run: @escaping @Sendable (inout Whole) -> NewValue
    ) -> State<Whole, NewValue> {
        switch form {
        case .node:
            .init(run)
        case .sync(_, let depth) where depth < Limits.depth:
            .init(form: .sync(run, depth: depth + 1))
        case .sync:
            .init(form: .node(State<Whole, NewValue>(run).node))
        }
    }

    /// Returns a program that applies `transform` to the value of this program.
    @inlinable
    public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> State<S, NewValue> {
        switch form {
        case .sync(let change, let depth) where depth < Limits.depth:
            .init(form: .sync({ state in transform(change(&state)) }, depth: depth + 1))
        case .sync, .node:
            .step(after: node) { machine in
                machine.put(transform(machine.take(as: Value.self)))
                return .value
            }
        }
    }

    /// Returns a program that runs this program, and then the program that `next` returns for its value.
    ///
    /// The second program receives the state that the first program has left.
    @inlinable
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> State<S, NewValue>
    ) -> State<S, NewValue> {
        switch form {
        case .sync(let change, _):
            .step { machine in next(change(&machine.core.place[S.self])).enter(&machine) }
        case .node(let node):
            .step(after: node) { machine in next(machine.take(as: Value.self)).enter(&machine) }
        }
    }

    /// Returns a program that runs this program and then `other`, and returns both values.
    @inlinable
    public func zip<Other>(_ other: State<S, Other>) -> State<S, (Value, Other)> {
        flatMap { value in
            let value = Unchecked(value)
            return other.map { (value.value, $0) }
        }
    }

    /// Returns a program that runs this program and then each of `others` in order, and returns all values.
    public func zip<each Other>(_ others: repeat State<S, each Other>) -> State<S, (Value, repeat each Other)> {
        var programs = [map { $0 as Any }]
        repeat programs.append((each others).map { $0 as Any })
        let collected = programs.reduce(State<S, [Any]> { _ in [] }) { collected, program in
            collected.zip(program).map { $0 + [$1] }
        }
        return collected.map(TupleAssembly<Value, repeat each Other>().assemble)
    }

    /// Returns a program that runs this program and then `other`, and returns the value of `other`.
    @inlinable
    public func followed<Other>(by other: State<S, Other>) -> State<S, Other> {
        flatMap { _ in other }
    }

    /// Returns a program that runs this program, and returns `value` instead of this program's value.
    @inlinable
    public func `as`<NewValue: Sendable>(_ value: NewValue) -> State<S, NewValue> {
        map { _ in value }
    }

    /// This program with its value discarded.
    @inlinable
    public var void: State<S, Void> {
        map { _ in }
    }
}

// MARK: - Running a program

extension State {
    /// Runs the program on `state`, in place, on the calling thread, and returns its value.
    @inlinable
    public func run(_ state: inout S) -> Value {
        switch form {
        case .sync(let change, _):
            return change(&state)
        case .node(let node):
            return Place.with(&state) { place in
                var machine = Machine(sharing: place, observesTaskCancellation: false)
                machine.core.next = node
                // A `State` neither fails nor suspends, so the only possible signal is a value.
                _ = machine.run()
                return machine.take()
            }
        }
    }

    /// Runs the program on a copy of `state`, and returns its value and the new state.
    @inlinable
    public func run(_ state: S) -> (Value, S) {
        var state = state
        let value = run(&state)
        return (value, state)
    }

    /// Runs the program on a copy of `state`, and returns the new state.
    @inlinable
    public func exec(_ state: S) -> S { run(state).1 }

    /// Runs the program on a copy of `state`, and returns its value.
    @inlinable
    public func eval(_ state: S) -> Value { run(state).0 }
}

extension State {
    /// Starts this program as the continuation of the running node. The step of that node must return the signal that
    /// this method returns.
    @inlinable
    @inline(__always)
    func enter(_ machine: inout Machine) -> Signal {
        switch form {
        case .sync(let change, _):
            machine.put(change(&machine.core.place[S.self]))
            return .value
        case .node(let node):
            machine.core.next = node
            return .jump
        }
    }

    /// Returns a program that runs `source`, and then `step`. Without a source, the program is `step` alone.
    @inlinable
    @inline(__always)
    static func step(after source: Node? = nil, _ step: @escaping Node.Step) -> State {
        State(form: .node(Node(source: source, accepting: .value, step)))
    }

    /// This program as a node, which can be the source of other nodes.
    @inlinable
    var node: Node {
        if case .node(let node) = form { return node }
        let program = self
        return Node { machine in program.enter(&machine) }
    }
}
