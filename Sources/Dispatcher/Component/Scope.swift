public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A view of one part of a component, with an input type of its own.
///
/// ``Component/scope(state:input:)`` creates a scope. A scope stores no state: it reads that of the component, which it
/// retains. It may be created where it is used and need not be stored.
public final class Scope<S: Equatable & Sendable, Input>: Sendable {
    @usableFromInline let actorQueue: ActorQueue
    @usableFromInline let observation: ObservationBridge
    // Tracking retains this closure, so it must not retain the component.
    @usableFromInline let read: @Sendable () -> S
    @usableFromInline let forward: @Sendable (Input) -> SendTask
    @usableFromInline let attach: @Sendable (Observer<S>) -> Registration

    @usableFromInline
    init(
        actorQueue: ActorQueue,
        observation: ObservationBridge,
        read: @escaping @Sendable () -> S,
        send: @escaping @Sendable (Input) -> SendTask,
        attach: @escaping @Sendable (Observer<S>) -> Registration
    ) {
        self.actorQueue = actorQueue
        self.observation = observation
        self.read = read
        self.forward = send
        self.attach = attach
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
        let reader = PartReader(part)
        return Scope<Part, PartInput>(
            actorQueue: actorQueue,
            observation: observation,
            read: { [read] in read()[keyPath: part] },
            send: { [forward] input in forward(embed(input)) },
            attach: { [attach] observer in attach(observer.on(reader)) }
        )
    }

    /// Calls `body` with the current value of the part, and then with its new value each time the part changes.
    ///
    /// See ``Component/observe(_:)``.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        attach(Observer(isolation: body.isolation, by: actorQueue, unisolated(body)).onlyChanges())
    }

    /// The current value of the part, and then each new value that differs from the last one; see ``Component/states``.
    public var states: some AsyncSequence<S, Never> & Sendable {
        stateStream { attach($0.onlyChanges()) }
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
        observation.read(part: read, by: ==)
    }
}
