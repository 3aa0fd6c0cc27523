/// A description of a computation that reads and changes a state, and ends in a value.
///
/// The state is changed in place: one element of an array of a million costs what one element costs. Building a program
/// runs nothing; it is a value that can be kept and composed.
///
/// ```swift
/// let next = State<Int, Int>.update { count in
///     count += 1
///     return count
/// }
/// next.run(41)  // (42, 42)
/// ```
///
/// The state monad is Bow's; changing in place, where Bow takes and returns a state, is this library's. Programs of a
/// million steps run, and are freed, on any stack.
@frozen
public struct State<S, Value> {
    /// The forms of a program.
    @usableFromInline
    enum Form {
        /// A closure, made of at most `Limits.depth` nested ones.
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

// Unchecked: closures in it are `@Sendable`, and a `Node` is immutable.
extension State: @unchecked Sendable {}

// MARK: - Making one

extension State {
    /// A program that calls `change` with the state, in place, and ends in what it returns.
    @inlinable
    public init(_ change: @escaping @Sendable (inout S) -> Value) {
        self.init(form: .sync(change, depth: 1))
    }

    /// A program that calls `change` with the state, in place, and ends in what it returns.
    ///
    /// ```swift
    /// State<[Int], Void>.update { $0[7] += 1 }  // copies nothing
    /// ```
    @inlinable
    public static func update(_ change: @escaping @Sendable (inout S) -> Value) -> State {
        State(change)
    }

    /// A program that ends in `value` and leaves the state alone.
    @inlinable
    public static func pure(_ value: Value) -> State where Value: Sendable {
        State { _ in value }
    }

    /// A program that ends in what `read` makes of the state.
    @inlinable
    public static func inspect(_ read: @escaping @Sendable (S) -> Value) -> State {
        State { state in read(state) }
    }

    /// A program that ends in the state.
    @inlinable
    public static func get() -> State where Value == S {
        State { state in state }
    }
}

extension State where Value == Void {
    /// A program that puts `state` in the state's place. The description keeps it, so it must be `Sendable`.
    @inlinable
    public static func set(_ state: S) -> State where S: Sendable {
        State { $0 = state }
    }

    /// A program that puts what `transform` makes of the state in its place. Where a small part of a large state
    /// changes, ``update(_:)`` changes it without a copy.
    @inlinable
    public static func modify(_ transform: @escaping @Sendable (S) -> S) -> State {
        State { state in state = transform(state) }
    }
}

// MARK: - Composing

extension State {
    /// A program of another state that runs this one somewhere inside `run`. It may be freed at any depth: every so
    /// many closures there is a node, and only there a machine is needed.
    @inlinable
    package func nested<Whole, NewValue>(
        _ run: @escaping @Sendable (inout Whole) -> NewValue
    ) -> State<Whole, NewValue> {
        switch form {
        case .node:
            State<Whole, NewValue>(run)
        case .sync(_, let depth) where depth < Limits.depth:
            State<Whole, NewValue>(form: .sync(run, depth: depth + 1))
        case .sync:
            State<Whole, NewValue>(
                form: .node(
                    Node { machine in
                        machine.put(run(&machine.state(as: Whole.self).pointee))
                        return .value
                    }
                )
            )
        }
    }

    /// This program with `transform` applied to its value.
    @inlinable
    public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> State<S, NewValue> {
        switch form {
        case .sync(let change, let depth) where depth < Limits.depth:
            return State<S, NewValue>(form: .sync({ state in transform(change(&state)) }, depth: depth + 1))
        case .sync, .node:
            return State<S, NewValue>(
                form: .node(
                    Node(source: node, accepting: .value) { machine in
                        machine.put(transform(machine.take(as: Value.self)))
                        return .value
                    }
                )
            )
        }
    }

    /// This program, and then the one that `next` makes of its value, on the state as it is then.
    @inlinable
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> State<S, NewValue>
    ) -> State<S, NewValue> {
        switch form {
        case .sync(let change, _):
            State<S, NewValue>(
                form: .node(Node { machine in next(change(&machine.state(as: S.self).pointee)).enter(&machine) }))
        case .node(let node):
            State<S, NewValue>(
                form: .node(
                    Node(source: node, accepting: .value) { machine in
                        next(machine.take(as: Value.self)).enter(&machine)
                    }
                )
            )
        }
    }

    /// This program and then `other`, and both values.
    @inlinable
    public func zip<Other>(_ other: State<S, Other>) -> State<S, (Value, Other)> {
        flatMap { value in
            let value = Unchecked(value)
            return other.map { (value.value, $0) }
        }
    }

    /// This program and then all others, one after the other, and all values.
    public func zip<each Other>(_ others: repeat State<S, each Other>) -> State<S, (Value, repeat each Other)> {
        var programs = [map { $0 as Any }]
        repeat programs.append((each others).map { $0 as Any })
        let collected = programs.reduce(State<S, [Any]> { _ in [] }) { collected, program in
            collected.zip(program).map { $0 + [$1] }
        }
        return collected.map(TupleAssembly<Value, repeat each Other>().assemble)
    }

    /// This program and then `other`, and the value of `other` alone.
    @inlinable
    public func followed<Other>(by other: State<S, Other>) -> State<S, Other> {
        flatMap { _ in other }
    }

    /// This program with `value` in place of its own.
    @inlinable
    public func `as`<NewValue: Sendable>(_ value: NewValue) -> State<S, NewValue> {
        map { _ in value }
    }

    /// This program without its value.
    @inlinable
    public var void: State<S, Void> {
        map { _ in }
    }
}

// MARK: - Running

extension State {
    /// Runs the program on `state`, in place, on the calling thread, and returns its value.
    @inlinable
    public func run(_ state: inout S) -> Value {
        switch form {
        case .sync(let change, _):
            return change(&state)
        case .node(let node):
            return withUnsafeMutablePointer(to: &state) { address in
                var machine = Machine(sharing: address, heedingTask: false)
                machine.next = node
                // A `State` neither fails nor waits: its nodes end in a value and in nothing else.
                _ = machine.run()
                return machine.take()
            }
        }
    }

    /// Runs the program on a copy of `state`; returns its value and the state it ends with.
    @inlinable
    public func run(_ state: S) -> (Value, S) {
        var state = state
        let value = run(&state)
        return (value, state)
    }

    /// The state that the program ends with.
    @inlinable
    public func exec(_ state: S) -> S { run(state).1 }

    /// The value that the program ends in.
    @inlinable
    public func eval(_ state: S) -> Value { run(state).0 }
}

extension State {
    /// Begins this program in place of the running node.
    @inlinable
    @inline(__always)
    func enter(_ machine: inout Machine) -> Signal {
        switch form {
        case .sync(let change, _):
            machine.put(change(&machine.state(as: S.self).pointee))
            return .value
        case .node(let node):
            machine.next = node
            return .jump
        }
    }

    /// This program as a node that others can continue.
    @inlinable
    var node: Node {
        if case .node(let node) = form { return node }
        let program = self
        return Node { machine in program.enter(&machine) }
    }
}
