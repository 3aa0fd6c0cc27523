public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A part of a component: a view on its state, with inputs of its own.
///
/// It has no state; it reads the component's, and keeps the component alive. Made by ``Component/scope(state:input:)``.
public final class Scope<S: Equatable & Sendable, Input>: Sendable {
    @usableFromInline let mailbox: Mailbox
    @usableFromInline let read: @Sendable () -> S
    @usableFromInline let forward: @Sendable (Input) -> Dispatched
    @usableFromInline let attach: @Sendable (Observer<S>) -> Registration
    private let watch = Watch()

    @usableFromInline
    init(
        mailbox: Mailbox,
        read: @escaping @Sendable () -> S,
        send: @escaping @Sendable (Input) -> Dispatched,
        attach: @escaping @Sendable (Observer<S>) -> Registration
    ) {
        self.mailbox = mailbox
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
    /// The part as it is now; see ``Component/state``. Tracking it tells of changes of the part alone.
    public var state: S {
        if watch.isFirstRead {
            watch.listen(by: attach(Observer { [weak watch] _ in watch?.changed() }.onlyChanges()))
        }
        return watch.read(read)
    }
}
