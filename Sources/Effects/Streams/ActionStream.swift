import ArchitectureEngine
public import FunctionalCore

/// A description of values that come: the actions of a store, or what an effect makes of them.
///
/// ```swift
/// actions
///     .ofType(GetPost.self)
///     .flatMap { get in await post(get.id) }
///     .eraseActionType()
/// ```
///
/// Nothing happens before a store runs it, and each run begins anew, also what an operator remembers. Values pass the
/// operators while the store handles an action or an answer: one at a time, in order, on whichever thread that is. What
/// takes its time runs in a task, and its results come back in turn.
///
/// A stream may fail; what becomes of that is said by ``retry(_:)``, ``replaceError(with:)``, and at last the effect's
/// ``FailurePolicy``. The words are Combine's, which does not exist on Linux and is not needed.
public struct ActionStream<Output: Sendable>: Sendable {
    @usableFromInline let origin: Origin
    @usableFromInline let start: @Sendable (StreamRun, Subscriber<Output>) -> Void

    /// Whether a stream is what a store dispatches, as it is; then it can be listened to by type.
    @usableFromInline
    enum Origin: Sendable {
        case store
        case derived
    }

    @inlinable
    init(origin: Origin = .derived, start: @escaping @Sendable (StreamRun, Subscriber<Output>) -> Void) {
        self.origin = origin
        self.start = start
    }
}

/// Who is told of a stream's values, and of its end.
///
/// Unchecked: only called while the store handles something, which one thread at a time does.
@usableFromInline
struct Subscriber<Value>: @unchecked Sendable {
    @usableFromInline let receive: (Value) -> Void
    /// Called once, with the error if there is one.
    @usableFromInline let complete: ((any Error)?) -> Void

    @inlinable
    init(receive: @escaping (Value) -> Void, complete: @escaping ((any Error)?) -> Void) {
        self.receive = receive
        self.complete = complete
    }
}

// MARK: - Streams of their own

extension ActionStream {
    /// A stream of one value.
    public static func just(_ value: Output) -> ActionStream {
        ActionStream { _, subscriber in
            subscriber.receive(value)
            subscriber.complete(nil)
        }
    }

    /// A stream of `values`, in this order.
    ///
    /// The values are handed on within the handling of one action. A sequence without an end never lets the store go on,
    /// unless the stream is ended, as by ``prefix(_:)``: the limit of `maximumChain` does not detect it. Give an endless
    /// sequence as an asynchronous one.
    public static func sequence(_ values: some Sequence<Output> & Sendable) -> ActionStream {
        ActionStream { run, subscriber in
            var values = values.makeIterator()
            while !run.isOver {
                guard let value = values.next() else { return subscriber.complete(nil) }
                subscriber.receive(value)
            }
        }
    }

    /// A stream without values.
    public static var empty: ActionStream {
        ActionStream { _, subscriber in subscriber.complete(nil) }
    }

    /// A stream that fails.
    public static func fail(_ error: any Error) -> ActionStream {
        ActionStream { _, subscriber in subscriber.complete(error) }
    }

    /// A stream of what `body` returns, or of its error. It runs in a task, which is cancelled with the effect.
    public init(_ body: @escaping @Sendable () async throws -> Output) {
        self.init { run, subscriber in
            run.task { task in
                if task.run.isOver { return }
                do {
                    let value = try await body()
                    await task.enter {
                        subscriber.receive(value)
                        subscriber.complete(nil)
                    }
                } catch {
                    await task.enter { subscriber.complete(error) }
                }
            }
        }
    }

    /// A stream of the elements of the sequence that `elements` makes, taken in a task that is cancelled with the
    /// effect.
    ///
    /// The next element is taken when the store has handled the one before: a fast sequence waits for a slow store.
    public init<Elements: AsyncSequence & SendableMetatype>(
        of elements: @escaping @Sendable () async throws -> Elements
    ) where Elements.Element == Output, Elements.AsyncIterator: SendableMetatype {
        self.init { run, subscriber in
            run.task { task in
                if task.run.isOver { return }
                do {
                    let elements = try await elements()
                    // The sequence may never end.
                    task.progress?.pause()
                    for try await element in elements {
                        guard await task.enter({ subscriber.receive(element) }) else { return }
                    }
                    await task.enter { subscriber.complete(nil) }
                } catch {
                    await task.enter { subscriber.complete(error) }
                }
            }
        }
    }

    /// A stream of what a program ends in. It runs as far as it need not wait at once, and then in a task that is
    /// cancelled with the effect.
    public init<Environment, Failure: Error>(
        _ program: EnvIO<Environment, Failure, Output>,
        in environment: @escaping @Sendable @autoclosure () -> Environment
    ) {
        self.init { run, subscriber in
            switch program.begin(environment, stop: run) {
            case .finished(let outcome):
                subscriber.end(with: outcome)
            case .waiting(let suspended):
                run.task { task in
                    let outcome = await suspended.finish()
                    await task.enter { subscriber.end(with: outcome) }
                }
            }
        }
    }
}

extension Subscriber {
    fileprivate func end<Failure: Error>(with outcome: Outcome<Value, Failure>) {
        switch outcome {
        case .value(let value):
            receive(value)
            complete(nil)
        case .failure(let error):
            complete(error)
        case .cancelled:
            complete(nil)
        }
    }
}
