import ArchitectureEngine
import FunctionalCore

/// What one connection of an effect handler has under way: who is still at work, and how to stop them.
///
/// Unchecked: what is not constant is touched under the lock alone. What is disposed is disposed outside of it.
@usableFromInline
final class HandlerSession<Event: Sendable>: HandlerLife, @unchecked Sendable {
    /// Where the tasks of asynchronous handlers run; `nil` is the global executor.
    let executor: (any TaskExecutor)?
    @usableFromInline let output: Consumer<Event>
    private let lock = Locked()
    private var handlings: [Int: Handling] = [:]
    private var handlingCount = 0
    private var attachments: [any Attachment] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// The loop's, if a loop has connected the handler.
    private let settling = Settling.connecting

    /// Work that ends by itself ends for a waiting caller when this is released.
    private enum Handling {
        case beginning(FiniteWork?)
        /// Retains the callback, too: a handler that drops its callback has not ended by that.
        case underWay(any Disposable, EffectCallback<Event>, FiniteWork?)
    }

    @usableFromInline
    init(executor: (any TaskExecutor)?, output: @escaping Consumer<Event>) {
        self.executor = executor
        self.output = output
    }

    /// Sends an event to the loop, unless the session has ended.
    @inlinable
    func send(_ event: Event) {
        if !hasEnded { output(event) }
    }

    /// Has an effect handled.
    @inlinable
    func perform<Parameters>(_ target: Target<Parameters, Event>, _ parameters: Parameters) {
        switch target {
        case .immediate(let body):
            body(parameters, send)
        case .lasting(let isFinite, let handle):
            begin(parameters, isFinite: isFinite, handle)
        }
    }

    /// Begins what lasts, and keeps what stops it.
    @usableFromInline
    func begin<Parameters>(
        _ parameters: Parameters,
        isFinite: Bool,
        _ handle: (Parameters, EffectCallback<Event>, (any TaskExecutor)?) -> any Disposable
    ) {
        guard let handling = begin(isFinite: isFinite) else { return }
        let callback = EffectCallback<Event>(
            life: self, work: nil, onSend: { [self] in send($0) }, onEnd: { [self] in finish(handling) })
        keep(handle(parameters, callback, executor), callback, of: handling)
    }

    /// Has an effect handled as a work that its lane has started, unless that was stopped on its way here. What a newer
    /// one has taken the place of is stopped, and sends nothing any more.
    func perform<Parameters>(
        _ target: Target<Parameters, Event>, _ parameters: Parameters, as work: WorkItem, of lane: PolicyQueue
    ) {
        if work.isCancelled || hasEnded { return lane.finish(work) }
        let send: Consumer<Event> = { [self] event in lane.deliver(work) { self.send(event) } }
        switch target {
        case .immediate(let body):
            body(parameters, send)
            lane.finish(work)
        case .lasting(let isFinite, let handle):
            guard let handling = begin(isFinite: isFinite) else { return lane.finish(work) }
            let callback = EffectCallback<Event>(
                life: self, work: work, onSend: send,
                onEnd: { [self] in
                    // Released after the next work of the lane has begun, so that a waiting caller waits for that, too.
                    let finished = finish(handling)
                    lane.finish(work)
                    withExtendedLifetime(finished) {}
                })
            let disposable = handle(parameters, callback, executor)
            keep(disposable, callback, of: handling)
            work.onCancel { [self] _ in
                guard let finished = finish(handling) else { return }
                disposable.dispose()
                lane.finish(work)
                withExtendedLifetime(finished) {}
            }
        }
    }

    /// Begins some work that ends by itself, or when it is released.
    func beginWork() -> FiniteWork? {
        settling?.begin()
    }

    private func begin(isFinite: Bool) -> Int? {
        let work = isFinite ? beginWork() : nil
        return lock.withLock {
            if hasEnded { return nil }
            handlingCount += 1
            handlings[handlingCount] = .beginning(work)
            return handlingCount
        }
    }

    /// Removes a handling, and returns it if it was under way. The caller releases it outside of the lock.
    @discardableResult
    private func finish(_ handling: Int) -> Handling? {
        lock.withLock { handlings.removeValue(forKey: handling) }
    }

    private func keep(_ disposable: any Disposable, _ callback: EffectCallback<Event>, of handling: Int) {
        let isTooLate = lock.withLock {
            guard case .beginning(let work) = handlings[handling] else { return false }
            handlings[handling] = hasEnded ? nil : .underWay(disposable, callback, work)
            return hasEnded
        }
        // The session ended while the handler began: nobody else knows of this one.
        if isTooLate { disposable.dispose() }
    }

    /// Lets `value` live as long as the session, which disposes it.
    func attach<Value: Attachment>(_ value: Value, for key: AttachmentKey<Value>) {
        let isTooLate = lock.withLock {
            if hasEnded { return true }
            places[ObjectIdentifier(key)] = attachments.count
            attachments.append(value)
            return false
        }
        if isTooLate { value.dispose() }
    }

    /// What was attached for `key`, until the session ends.
    func attachment<Value: Attachment>(for key: AttachmentKey<Value>) -> Value? {
        lock.withLock {
            // A key belongs to one kind of value.
            places[ObjectIdentifier(key)].map { unsafeDowncast(attachments[$0], to: Value.self) }
        }
    }

    /// Ends the session: disposes what is under way, once. Nothing is sent afterwards.
    @usableFromInline
    func end() {
        let (handlings, attachments) = lock.withLock {
            let isFirst = endLife()
            defer {
                // Those that are beginning find out by themselves.
                self.handlings = self.handlings.filter { if case .beginning = $0.value { true } else { false } }
                (self.attachments, places) = ([], [:])
            }
            return isFirst ? (self.handlings, self.attachments) : ([:], [])
        }
        for (_, handling) in handlings.sorted(by: { $0.key < $1.key }) {
            if case .underWay(let disposable, _, _) = handling { disposable.dispose() }
        }
        for attachment in attachments { attachment.dispose() }
    }
}

/// Something that lives as long as a session does: a connection, or the works of a route.
typealias Attachment = AnyObject & Disposable

/// What an attachment to a session is known by.
final class AttachmentKey<Value: Attachment>: Sendable {}

/// Ends a session when nobody holds its connection any more.
@usableFromInline
final class SessionOwner<Event: Sendable>: Sendable {
    @usableFromInline let session: HandlerSession<Event>

    @usableFromInline
    init(_ session: HandlerSession<Event>) {
        self.session = session
    }

    deinit { session.end() }
}
