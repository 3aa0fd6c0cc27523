public import ArchitectureEngine
public import FunctionalCore

/// The context in which an effect is handled: the connection, and the work item of the effect, if it needs one. It needs
/// one under a policy, to wait for a place such as a queue, and for a handling that ends later.
///
/// Every kind of handler is a function of a context. A synchronous handler calls `finish()` before it returns. All
/// other handlers are started by `startWithCallback(isFinite:_:)`, except connectables, which are only given the
/// effect.
@usableFromInline
struct HandlerContext<Event>: Sendable {
    @usableFromInline let connection: HandlerConnection<Event>
    @usableFromInline let work: Work?
    /// The queue of the policy that has started the work, or `nil` if no policy has.
    @usableFromInline let queue: PolicyQueue?
    /// The effect in the trace, or `nil` if the loop has no trace.
    @usableFromInline let effect: TracedEffect?

    @inlinable
    init(
        connection: HandlerConnection<Event>, work: Work? = nil, queue: PolicyQueue? = nil, effect: TracedEffect? = nil
    ) {
        self.connection = connection
        self.work = work
        self.queue = queue
        self.effect = effect
    }

    /// The effect's work in the trace, or `nil` if the loop has no trace.
    @inlinable var traced: TracedWork? { effect?.work }

    /// Whether the connection has ended, or the policy has cancelled the effect.
    var isStopped: Bool {
        connection.hasEnded || work?.isCancelled == true
    }

    /// Sends an event to the loop, unless the context is stopped. If the loop has a trace, the work is the cause of the
    /// event, and an event that is not sent is recorded as dropped. May be called from any thread.
    @inlinable
    func send(_ event: Event) {
        if connection.isCarrying { bindingValues { sendHere(event) } } else { sendHere(event) }
    }

    /// Calls `body` with the values that the work carries. A handler may send from a thread of its own.
    @usableFromInline
    @inline(never)
    func bindingValues(_ body: () -> Void) {
        (work?.context?.values).bind(body)
    }

    @inlinable
    func sendHere(_ event: Event) {
        traced.run {
            let isSent =
                if let work, let queue { connection.send(event, of: work, in: queue) } else { connection.send(event) }
            if !isSent { connection.recordDrop?(event) }
        }
    }

    /// If the loop has a trace, records that an event was not sent, because `EffectCallback.ended` was `true`.
    func drop(_ event: Event) {
        traced.run { connection.recordDrop?(event) }
    }

    /// Ends the handling of the effect, so that the policy may start the next effect.
    @inlinable
    func finish() {
        traced?.end()
        work?.end(in: queue)
    }

    /// Calls `handler` with this context. If the loop has a trace, the trace records the handling of the effect as a
    /// work.
    @inlinable
    @inline(__always)
    func recordingWork<Parameters: Sendable>(
        on parameters: Parameters, _ handler: (Parameters, HandlerContext) -> Void
    ) {
        guard let effect = effect?.started() else { return handler(parameters, self) }
        effect.work.run {
            handler(parameters, HandlerContext(connection: connection, work: work, queue: queue, effect: effect))
        }
        effect.work?.suspend()
    }

    /// Reports an error that no handler has turned into an event, unless the connection has ended.
    func report(_ error: any Error, of effect: any Sendable) {
        connection.report(error, of: .effect(effect), failing: traced)
    }

    /// Starts a task that handles the effect. Disposing the returned value cancels the task.
    func startTask(_ body: @escaping @Sendable () async -> Void) -> any Disposable {
        let task = Work()
        task.startTask(in: work?.context ?? connection.currentContext, on: connection.executor, body)
        return AnonymousDisposable { task.cancel() }
    }

    /// Returns this context with a work.
    func withWork() -> HandlerContext {
        if work != nil { return self }
        return HandlerContext(connection: connection, work: Work(), effect: effect)
    }

    /// Starts a handler, and retains its disposable until the callback ends. If the connection ends or the policy
    /// cancels the effect before that, the disposable is disposed. Does not call `handler` if the connection has
    /// already ended.
    ///
    /// - Parameter isFinite: Whether the handling ends by itself, so that callers of `settled()` wait for its end.
    func startWithCallback(isFinite: Bool = true, _ handler: (EffectCallback<Event>) -> any Disposable) {
        let context = withWork()
        guard let work = context.work else { return }
        if isFinite { connection.activate(work) } else { work.pause() }
        if connection.isCarrying, work.context == nil { work.context = connection.currentContext }
        guard let handling = connection.begin(work, traced) else {
            traced?.cancel()
            return context.finish()
        }
        let callback = EffectCallback(context: context) {
            connection.finish(handling)
            context.finish()
        }
        let disposable = handler(callback)
        connection.retain(disposable, callback, of: handling)
        guard queue != nil else { return }
        work.onCancel { _ in
            if !connection.finish(handling) { return }
            traced?.cancel()
            disposable.dispose()
            context.finish()
        }
    }
}

/// An effect of a loop that has a trace.
@usableFromInline
final class TracedEffect: Sendable {
    let tracer: Tracer
    /// The subject of the effect's work, and of the decisions of its route's policy: the effect as the trace may record
    /// it.
    let subject: TraceValue
    /// The effect's work, or `nil` until its handler is called.
    @usableFromInline let work: TracedWork?

    private init(_ tracer: Tracer, _ subject: TraceValue, _ work: TracedWork?) {
        (self.tracer, self.subject, self.work) = (tracer, subject, work)
    }

    @usableFromInline
    @inline(never)
    convenience init<Effect: Sendable>(_ effect: Effect, _ parameters: some Sendable, in tracer: Tracer) {
        self.init(tracer, tracer.subject(of: effect, passedOnAs: parameters), nil)
    }

    /// Records the start of the effect's work, and returns the effect with this work.
    @usableFromInline
    func started() -> TracedEffect {
        TracedEffect(tracer, subject, tracer.begin(subject, .effect))
    }
}
