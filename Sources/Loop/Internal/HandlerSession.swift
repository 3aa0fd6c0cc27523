import ArchitectureEngine

/// What one connection of an effect handler has under way: who is still at work, and how to stop them.
///
/// Unchecked: what is not constant is touched under the lock alone. What is disposed is disposed outside of it.
@usableFromInline
final class HandlerSession<Event: Sendable>: HandlerLife, @unchecked Sendable {
    /// Where the tasks of asynchronous handlers run; `nil` is the global executor.
    let executor: (any TaskExecutor)?
    @usableFromInline let output: Consumer<Event>
    private let lock = Lock()
    private var handlings: [Int: Handling] = [:]
    private var handlingCount = 0
    private var attachments: [(key: ObjectIdentifier, value: any Attachment)] = []

    /// Something that lives as long as a session does: a connection, or the works of a route.
    typealias Attachment = AnyObject & Disposable

    private enum Handling {
        case beginning
        case underWay(any Disposable)
    }

    @usableFromInline
    init(executor: (any TaskExecutor)?, output: @escaping Consumer<Event>) {
        self.executor = executor
        self.output = output
    }

    deinit { lock.free() }

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
        case .lasting(let handle):
            begin(parameters, handle)
        }
    }

    /// Begins what lasts, and keeps what stops it.
    @usableFromInline
    func begin<Parameters>(
        _ parameters: Parameters,
        _ handle: (Parameters, EffectCallback<Event>, (any TaskExecutor)?) -> any Disposable
    ) {
        guard let handling = begin() else { return }
        let callback = EffectCallback<Event>(
            life: self, work: nil, onSend: { [self] in send($0) }, onEnd: { [self] in finish(handling) })
        keep(handle(parameters, callback, executor), of: handling)
    }

    /// Has an effect handled when `lane` says so. What a newer one has taken the place of is stopped, and sends nothing any
    /// more.
    func perform<Parameters>(_ target: Target<Parameters, Event>, _ parameters: Parameters, in lane: Lane) {
        lane.submit { [self] work, lane in
            let send: Consumer<Event> = { [self] event in lane.deliver(work) { self.send(event) } }
            switch target {
            case .immediate(let body):
                body(parameters, send)
                lane.finish(work)
            case .lasting(let handle):
                guard let handling = begin() else { return lane.finish(work) }
                let callback = EffectCallback<Event>(
                    life: self, work: work, onSend: send,
                    onEnd: { [self] in
                        finish(handling)
                        lane.finish(work)
                    })
                let disposable = handle(parameters, callback, executor)
                keep(disposable, of: handling)
                work.onCancel { [self] _ in
                    guard finish(handling) else { return }
                    disposable.dispose()
                    lane.finish(work)
                }
            }
        }
    }

    private func begin() -> Int? {
        lock.withLock {
            if hasEnded { return nil }
            handlingCount += 1
            handlings[handlingCount] = .beginning
            return handlingCount
        }
    }

    /// Forgets what was under way; says whether it still was.
    @discardableResult
    private func finish(_ handling: Int) -> Bool {
        // Taken out under the lock, let go of after it: what goes away may run code of its own.
        let finished = lock.withLock { handlings.removeValue(forKey: handling) }
        return finished != nil
    }

    private func keep(_ disposable: any Disposable, of handling: Int) {
        let isTooLate = lock.withLock {
            guard handlings[handling] != nil else { return false }
            handlings[handling] = hasEnded ? nil : .underWay(disposable)
            return hasEnded
        }
        // The session ended while the handler began: nobody else knows of this one.
        if isTooLate { disposable.dispose() }
    }

    /// What was attached for `key`; made and attached at the first call.
    func attachment<Kind: Attachment>(for key: AnyObject, _ make: () -> Kind) -> Kind {
        let key = ObjectIdentifier(key)
        if let known = lock.withLock({ known(key) }) { return unsafeDowncast(known, to: Kind.self) }
        let made = make()
        let (attachment, isTooLate) = lock.withLock {
            if let known = known(key) { return (known, false) }
            if !hasEnded { attachments.append((key, made)) }
            return (made, hasEnded)
        }
        if isTooLate { made.dispose() }
        // Only this function puts something in, and a key belongs to one kind.
        return unsafeDowncast(attachment, to: Kind.self)
    }

    private func known(_ key: ObjectIdentifier) -> (any Attachment)? {
        attachments.first { $0.key == key }?.value
    }

    /// Ends the session: disposes what is under way, once. Nothing is sent afterwards.
    @usableFromInline
    func end() {
        let (handlings, attachments) = lock.withLock {
            let isFirst = endLife()
            defer {
                // Those that are beginning find out by themselves.
                self.handlings = self.handlings.filter { if case .beginning = $0.value { true } else { false } }
                self.attachments = []
            }
            return isFirst ? (self.handlings, self.attachments) : ([:], [])
        }
        for (_, handling) in handlings.sorted(by: { $0.key < $1.key }) {
            if case .underWay(let disposable) = handling { disposable.dispose() }
        }
        for attachment in attachments { attachment.value.dispose() }
    }
}

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
