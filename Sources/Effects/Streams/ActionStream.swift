import ArchitectureEngine
public import FunctionalCore

/// A description of a stream of values: the actions of a store, or values that an effect derives from them.
///
/// ```swift
/// actions
///     .ofType(GetPost.self)
///     .flatMap { get in await post(get.id) }
/// ```
///
/// A stream does nothing until a store runs it. Operators that remember values, such as ``scan(_:_:)``, start with an
/// empty memory each time the stream starts.
///
/// The store passes values through the operators one at a time and in order, on the thread that processes its actions.
/// Asynchronous work runs in tasks. The store processes its results in turn, like actions.
///
/// A stream may fail. ``retry(_:)``, ``catch(_:)`` and ``replaceError(with:)`` handle a failure. If a failure reaches
/// the end of an effect's stream, the effect's ``FailurePolicy`` decides. The operators have the names of Combine's
/// operators, but do not need Combine and are available on Linux. <doc:OperatorsCompared> lists them.
public struct ActionStream<Output: Sendable>: Sendable {
    @usableFromInline let origin: Origin
    /// Starts the stream, which passes its values to the subscriber. Each operator builds it around the `start` of the
    /// streams that it is made of, and the next operator calls it. `StoreRuntime.start(_:in:)` calls that of the last.
    @usableFromInline let start: @Sendable (StreamRun, Subscriber<Output>) -> Void

    /// Whether a stream is the unchanged stream of a store's actions. From such a stream, `listening(to:)` makes a
    /// stream to which the store delivers only actions of some types.
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

// MARK: - Creating a stream

extension ActionStream {
    /// Returns a stream of one value.
    public static func just(_ value: Output) -> ActionStream {
        ActionStream { _, subscriber in
            subscriber.receive(value)
            subscriber.complete(nil)
        }
    }

    /// Returns a stream of the elements of `values`, in order.
    ///
    /// The store passes on all elements before it processes its next action. A sequence without an end therefore blocks
    /// the store, unless an operator such as ``prefix(_:)`` ends the stream. The limit `maximumChain` of the store does
    /// not end such a sequence. Use an asynchronous sequence for values without an end.
    ///
    /// In a stream of ``zip(_:)-method``, the elements are read as they are needed for pairs.
    public static func sequence(_ values: some Sequence<Output> & Sendable) -> ActionStream {
        ActionStream { run, subscriber in
            var values = values.makeIterator()
            let pacer = run.pacer
            func readOn() {
                while !run.isOver {
                    if pacer.isPausing { return pacer.pause(readOn) }
                    guard let value = values.next() else { return subscriber.complete(nil) }
                    subscriber.receive(value)
                }
            }
            readOn()
        }
    }

    /// A stream that ends without a value.
    public static var empty: ActionStream {
        ActionStream { _, subscriber in subscriber.complete(nil) }
    }

    /// Returns a stream that fails with `error`.
    public static func fail(_ error: any Error) -> ActionStream {
        ActionStream { _, subscriber in subscriber.complete(error) }
    }

    /// Creates a stream of the value that `body` returns.
    ///
    /// `body` runs in a task that is cancelled when the effect ends. If `body` throws, the stream fails.
    public init(_ body: @escaping @Sendable () async throws -> Output) {
        self.init(as: .request, body)
    }

    /// Creates a stream of the value that `body` returns in a task.
    ///
    /// - Parameter kind: The kind of the work in a trace.
    init(as kind: StreamWork.Kind, _ body: @escaping @Sendable () async throws -> Output) {
        self.init(task: kind) { run, subscriber, _ in
            let value = try await body()
            return await run.performAndWait {
                subscriber.receive(value)
                subscriber.complete(nil)
            }
        }
    }

    /// Creates a stream of the elements of an asynchronous sequence.
    ///
    /// A task iterates over the sequence, and is cancelled when the effect ends. The next element is requested when the
    /// store has passed on the previous element, so a fast sequence waits for a busy store. If `elements` or the
    /// sequence throws, the stream fails.
    ///
    /// - Parameter elements: Returns the sequence. It is called in the task.
    public init<Elements: AsyncSequence & SendableMetatype>(
        of elements: @escaping @Sendable () async throws -> Elements
    ) where Elements.Element == Output, Elements.AsyncIterator: SendableMetatype {
        self.init(task: .sequence) { run, subscriber, progress in
            let elements = try await elements()
            // Not counted as finite work, because the sequence may never end.
            progress.pause()
            for try await element in elements {
                guard await run.performAndWait({ subscriber.receive(element) }) else { return false }
            }
            return await run.performAndWait { subscriber.complete(nil) }
        }
    }

    /// Creates a stream whose values a task emits. If `body` throws, the stream fails. If the run has ended before the
    /// task begins, the task does not call `body`.
    ///
    /// - Parameters:
    ///   - kind: The kind of the task's work in a trace.
    ///   - body: Emits the values of the stream. Returns `false` if the run has ended before `body` was done.
    init(
        task kind: StreamWork.Kind,
        _ body: @escaping @Sendable (StreamRun, Subscriber<Output>, _ progress: Work) async throws -> Bool
    ) {
        self.init { run, subscriber in
            let work = run.trace(kind)
            run.task(work) { progress in
                if run.isOver { return }
                do {
                    if try await body(run, subscriber, progress) { work?.end() }
                } catch {
                    // The failure is not recorded if the run was cancelled. It is recorded before the stream completes,
                    // because then the effect may fail.
                    if !run.isOver { work?.fail(error) }
                    await run.performAndWait { subscriber.complete(error) }
                }
            }
        }
    }

    /// Creates a stream of the result of a program.
    ///
    /// The store runs the program up to its first suspension. If the program suspends, a task continues it, and is
    /// cancelled when the effect ends. If the program fails, the stream fails. If the program is cancelled, the stream
    /// ends without a value.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - environment: The environment of the program. It is evaluated each time the stream starts.
    public init<Environment, Failure: Error>(
        _ program: EnvIO<Environment, Failure, Output>,
        in environment: @escaping @Sendable @autoclosure () -> Environment
    ) {
        self.init { run, subscriber in
            let work = run.trace(.program)
            switch work.run({ program.begin(environment, stop: run) }) {
            case .finished(let outcome):
                work?.end(with: outcome)
                subscriber.end(with: outcome)
            case .waiting(let suspended):
                run.task(work) { _ in
                    let outcome = await suspended.finish()
                    if case .failure = outcome, !run.isOver { work?.end(with: outcome) }
                    if await run.performAndWait({ subscriber.end(with: outcome) }) { work?.end(with: outcome) }
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

extension TracedWork {
    fileprivate func end<Value, Failure: Error>(with outcome: Outcome<Value, Failure>) {
        switch outcome {
        case .value: end()
        case .failure(let error): fail(error)
        case .cancelled: cancel()
        }
    }
}

// MARK: - Building an operator

extension ActionStream {
    /// Returns a stream that ends once, and then stops the streams that it is made of.
    ///
    /// `start` receives a separate run for these streams. Operators that may end before these streams use this
    /// function.
    ///
    /// - Parameters:
    ///   - isPaced: Whether the streams may pause while the returned stream may. Only one stream in the separate run
    ///     itself can pause, and none whose values are timed.
    ///   - start: Starts the streams in the separate run.
    static func ending(
        isPaced: Bool = false,
        _ start: @escaping @Sendable (StreamRun, Subscriber<Output>) -> Void
    ) -> ActionStream {
        ActionStream { run, subscriber in
            let part = StreamRun(in: run)
            part.isPacedByParent = isPaced
            start(part, subscriber.ending(part))
        }
    }

    /// Returns a stream that ends once, and that a function makes from the events of this stream.
    ///
    /// Operators that end early, fail, or emit values at the end use this function. `lift` is RxJava's name.
    ///
    /// - Parameter makeSubscriber: Returns the subscriber of this stream for the subscriber of the returned stream. It
    ///   is called when the stream starts, so each run has variables of its own. The subscriber receives no value after
    ///   the end of the returned stream.
    func lift<New>(
        _ makeSubscriber: @escaping @Sendable (Subscriber<New>) -> Subscriber<Output>
    ) -> ActionStream<New> {
        .ending(isPaced: true) { run, subscriber in
            let lifted = makeSubscriber(subscriber)
            start(
                run, Subscriber(receive: { if !run.isOver { lifted.receive($0) } }, complete: lifted.complete))
        }
    }

    /// Returns a stream of the values that a function passes to `next`. The end of this stream is passed on.
    ///
    /// - Parameter makeReceive: Returns the function that receives the values of a run. It is called when the stream
    ///   starts, so each run has variables of its own. The function checks whether the run is over: an earlier operator
    ///   of the same stream, or another thread, may have cancelled it.
    @inlinable
    func transform<New>(
        _ makeReceive: @escaping @Sendable (StreamRun, _ next: @escaping (New) -> Void) -> (Output) -> Void
    ) -> ActionStream<New> {
        ActionStream<New> { run, subscriber in
            start(run, Subscriber(receive: makeReceive(run, subscriber.receive), complete: subscriber.complete))
        }
    }
}
