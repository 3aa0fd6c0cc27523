public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A part of a component: a view on its state, with inputs of its own.
///
/// A scope has no state. It reads the component's state, and keeps the component alive. It may be made inline, where it
/// is used, and need not be kept. ``Component/scope(state:input:)`` makes one.
public final class Scope<S: Equatable & Sendable, Input>: Sendable {
    @usableFromInline let mailbox: Mailbox
    @usableFromInline let watch: Watch
    // Tracking keeps this one: it does not retain the component.
    @usableFromInline let read: @Sendable () -> S
    @usableFromInline let forward: @Sendable (Input) -> Dispatched
    @usableFromInline let attach: @Sendable (Observer<S>) -> Registration

    @usableFromInline
    init(
        mailbox: Mailbox,
        watch: Watch,
        read: @escaping @Sendable () -> S,
        send: @escaping @Sendable (Input) -> Dispatched,
        attach: @escaping @Sendable (Observer<S>) -> Registration
    ) {
        self.mailbox = mailbox
        self.watch = watch
        self.read = read
        self.forward = send
        self.attach = attach
    }

    /// Sends the component the input that this part's input stands for; see ``Component/send(_:)``.
    @discardableResult
    public func send(_ input: Input) -> Dispatched {
        forward(input)
    }

    /// A part of this part; see ``Component/scope(state:input:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        let reader = PartReader(part)
        return Scope<Part, PartInput>(
            mailbox: mailbox,
            watch: watch,
            read: { [read] in read()[keyPath: part] },
            send: { [forward] input in forward(embed(input)) },
            attach: { [attach] observer in attach(observer.on(reader)) }
        )
    }

    /// Calls `body` with the part as it is now, and then whenever it has changed; see ``Component/observe(_:)``.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        attach(Observer(isolation: body.isolation, by: mailbox, unisolated(body)).onlyChanges())
    }

    /// The part as it is now, and then each new one that differs from the one before; see ``Component/states``.
    public var states: some AsyncSequence<S, Never> & Sendable {
        stateStream { attach($0.onlyChanges()) }
    }
}

extension Scope: Observable {
    /// The part as it is now. May be read from any thread, except from within a state update, which traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read and notifies once, when this part differs from
    /// the value that was read. Changes of other parts do not notify. The scope may be made inline:
    ///
    /// ```swift
    /// Text("\(component.scope(state: \.stepper, input: ParentInput.stepper).state.count)")
    /// ```
    ///
    /// The notification comes after the change and on the main actor, where none is lost; see ``Component/state``.
    ///
    /// - Complexity: O(1), beside reading the part. Each tracked read is compared once for each change, until it has
    ///   notified or is no longer tracked.
    public var state: S {
        watch.read(part: read, by: ==)
    }
}
