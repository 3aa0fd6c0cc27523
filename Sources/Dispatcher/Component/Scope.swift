public import ArchitectureEngine
public import FunctionalCore
public import Observation
public import Optics

/// A view of one part of a component, with an input type of its own.
///
/// ``Component/scope(state:input:)`` creates a scope. A scope stores no state: it retains the component and reads the
/// state of the component. It may be created where it is used and need not be stored.
public final class Scope<S: Equatable & Sendable, Input>: Sendable {
    @usableFromInline let view: PartView<S>
    @usableFromInline let forward: @Sendable (Input) -> SendTask

    @usableFromInline
    init(view: PartView<S>, send: @escaping @Sendable (Input) -> SendTask) {
        self.view = view
        self.forward = send
    }

    /// Sends the component's input for `input`; see ``Component/send(_:)``.
    @discardableResult
    public func send(_ input: Input) -> SendTask {
        forward(input)
    }

    /// Returns a view of a part of this part; see ``Component/scope(state:input:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        let path = StatePart(part)
        return Scope<Part, PartInput>(
            view: PartView(
                queue: view.queue,
                observation: view.observation,
                read: { [read = view.read] in read()[keyPath: part] },
                isSame: ==,
                attach: { [attach = view.attach] observer in attach(observer.on(path)) }
            ),
            send: { [forward] input in forward(embed(input)) }
        )
    }

    /// Calls `body` with the current value of the part, and then with the new value each time the part changes.
    ///
    /// See ``Component/observe(initial:buffering:_:)``.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current value. If it is not, the first call follows the next
    ///     change of the part.
    ///   - buffering: What happens to values that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each value of the part.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe(
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        view.observe(initial: initial, isolation: body.isolation, buffering: buffering, unisolated(body))
    }

    /// The current value of the part, and then each new value that differs from the previous value; see
    /// ``Component/states``.
    public var states: some AsyncSequence<S, Never> & Sendable {
        view.values()
    }
}

extension Scope: Observable {
    /// The current value of the part.
    ///
    /// May be read from any thread. Reading it from within a state update traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. A tracked read notifies once, when this part
    /// differs from the value that was read. Changes of other parts do not notify. The scope may be created inline:
    ///
    /// ```swift
    /// Text("\(component.scope(state: \.stepper, input: ParentInput.stepper).state.count)")
    /// ```
    ///
    /// The notification arrives after the change, on the main actor. Tracking on the main actor misses no change; see
    /// ``Component/state``.
    ///
    /// - Complexity: O(1), plus the cost of reading the part. While a read is tracked, each change of the state reads
    ///   the part again and compares the two values.
    public var state: S {
        view.value
    }
}
