import ArchitectureEngine
import Dispatch
import FunctionalCore

/// A view of a controller: how to connect it, and where.
struct ControlledView<Model: Sendable, Event: Sendable>: Sendable {
    let id = ViewID()
    let place: ViewPlace
    let buffering: ViewBuffering
    let disposals: PendingDisposals
    let connect: @Sendable (@escaping Consumer<Event>) -> Connection<Model>
}

/// Where a view is given models.
enum ViewPlace: Sendable {
    /// Asynchronously on a queue; the view is connected by whoever starts its controller.
    case queue(DispatchQueue)
    /// On the main actor, where it is connected and disposed as well.
    case mainActor(ActorQueue)

    /// Has `body` called there, later.
    func post(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: body)
        case .mainActor(let actorQueue): actorQueue.post(body)
        }
    }

    /// Has `body` called by the calling thread, or where only the main actor may, there, after what waits there.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !actorQueue.isOpenHere { actorQueue.post(body) } else { body() }
    }

    /// The same, but past what waits.
    func performFirst(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !CurrentThread.isMain { actorQueue.post(body) } else { body() }
    }
}

/// The connection of a view for one start of its controller: models wait here until the view takes them.
///
/// Unchecked: what is not constant is touched under the lock.
final class ViewSession<Model: Sendable, Event: Sendable>: @unchecked Sendable {
    private let view: ControlledView<Model, Event>
    private let lock = Locked()
    private var connection: Connection<Model>?
    private var models: [Model] = []
    /// Those that the view is being given, the next one last.
    private var batch: [Model] = []
    private var isScheduled = false
    private var isClosed = false
    private var isConnecting = false
    /// The thread that is in the view's `accept`, or 0.
    private var accepting: UInt = 0
    /// The thread that disposes the view, or 0.
    private var disposing: UInt = 0
    private var isDisposedAfterwards = false
    private var isFinished = false
    private var isDisposed = false

    init(_ view: ControlledView<Model, Event>) {
        self.view = view
    }

    /// Connects the view, unless it was closed already. If it is still to be disposed by an earlier start, also of
    /// another controller, it is connected after that.
    func open(_ consumer: @escaping Consumer<Event>) {
        view.place.perform { [self] in
            // What disposes the view elsewhere may not be on the main actor.
            view.disposals.whenNone { [self] in view.place.performFirst { [self] in connect(consumer) } }
        }
    }

    private func connect(_ consumer: @escaping Consumer<Event>) {
        let isOpen = lock.withLock {
            isConnecting = !isClosed
            return isConnecting
        }
        guard isOpen else { return }
        let connection = view.connect(consumer)
        let (isTooLate, isAwaited) = lock.withLock {
            self.connection = connection
            isConnecting = false
            let isAwaited = !models.isEmpty && !isScheduled
            if isAwaited { isScheduled = true }
            return (isClosed, isAwaited)
        }
        if isTooLate { return dispose() }
        if isAwaited { view.place.post { [self] in deliver() } }
    }

    /// Leaves a model for the view.
    func offer(_ model: Model) {
        let (isFirst, skipped) = lock.withLock {
            if isClosed { return (false, Model?.none) }
            var skipped: Model?
            if case .newest(let limit) = view.buffering, models.count + batch.count >= limit {
                skipped = batch.popLast() ?? models.removeFirst()
            }
            models.append(model)
            defer { isScheduled = true }
            return (!isScheduled, skipped)
        }
        // Skipped under the lock, let go of after it.
        withExtendedLifetime(skipped) {}
        if isFirst { view.place.post { [self] in deliver() } }
    }

    /// Gives the view what waits; what comes meanwhile is left for another turn of its queue.
    private func deliver() {
        let connection = lock.withLock {
            if self.connection == nil { isScheduled = false } else { swap(&models, &batch) }
            batch.reverse()
            return self.connection
        }
        // Who connects it has it delivered.
        guard let connection else { return }
        while let model = next() {
            connection.accept(model)
            if end() { return dispose() }
        }
        let isMore = lock.withLock {
            isScheduled = !models.isEmpty && !isClosed
            return isScheduled
        }
        if isMore { view.place.post { [self] in deliver() } }
    }

    /// The next model of the batch, which the view is then being given.
    private func next() -> Model? {
        lock.withLock {
            guard !isClosed, let model = batch.popLast() else { return nil }
            accepting = CurrentThread.identity
            return model
        }
    }

    /// Whether the view is to be disposed by whoever gave it the model.
    private func end() -> Bool {
        lock.withLock {
            accepting = 0
            return isDisposedAfterwards
        }
    }

    /// Drops what waits, and gives the view nothing more. `finish` is to follow.
    func close() {
        // Dropped under the lock, released after it: what is released may run code of its own.
        let dropped = lock.withLock {
            if isClosed { return [Model]() }
            isClosed = true
            isDisposedAfterwards = isConnecting || accepting != 0 && accepting != CurrentThread.identity
            view.disposals.begin()
            defer { (models, batch) = ([], []) }
            return models + batch
        }
        withExtendedLifetime(dropped) {}
    }

    /// Disposes the closed view: now, or if it is being connected or another thread is in its `accept`, by that thread,
    /// after that.
    func finish() {
        let isFree = lock.withLock {
            defer { isFinished = true }
            return !isFinished && !isDisposedAfterwards
        }
        // Nothing that waits matters any more: a view that is not open yet will not be.
        if isFree { view.place.performFirst { [self] in dispose() } }
    }

    /// Whether the view is not disposed yet.
    var isLeft: Bool { lock.withLock { !isDisposed } }

    /// Whether the calling thread is in the view's `accept` or disposes it.
    var isBusyHere: Bool {
        lock.withLock { accepting == CurrentThread.identity || disposing == CurrentThread.identity }
    }

    /// Calls `body` when the closed view has been disposed.
    func whenDisposed(_ body: @escaping @Sendable () -> Void) {
        view.disposals.whenNone(body)
    }

    /// Disposes the view, so that it may be connected again.
    private func dispose() {
        let connection = lock.withLock {
            disposing = CurrentThread.identity
            defer { self.connection = nil }
            return self.connection
        }
        connection?.dispose()
        lock.withLock { (disposing, isDisposed) = (0, true) }
        view.disposals.end()
    }
}
