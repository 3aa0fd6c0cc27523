import ArchitectureEngine
import Dispatch
import FunctionalCore

/// A view of a controller: how to connect it, and where.
struct ControlledView<Model: Sendable, Event: Sendable>: Sendable {
    let id = ViewID()
    let place: ViewPlace
    let buffering: ViewBuffering
    let connect: @Sendable (@escaping Consumer<Event>) -> Connection<Model>
}

/// Where a view is given models.
enum ViewPlace: Sendable {
    /// Asynchronously on a queue; the view is connected by whoever starts its controller.
    case queue(DispatchQueue)
    /// On the main actor, where it is connected and disposed as well.
    case mainActor(Mailbox)

    /// Has `body` called there, later.
    func post(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: body)
        case .mainActor(let mailbox): mailbox.post(body)
        }
    }

    /// Has `body` called by the calling thread, or where only the main actor may, there, after what waits there.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let mailbox) = self, !mailbox.isOpenHere { mailbox.post(body) } else { body() }
    }

    /// The same, but past what waits.
    func performFirst(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let mailbox) = self, !CurrentThread.isMain { mailbox.post(body) } else { body() }
    }
}

/// The connection of a view for one start of its controller: models wait here until the view takes them.
///
/// Unchecked: what is not constant is touched under the lock.
final class ViewSession<Model: Sendable, Event: Sendable>: @unchecked Sendable {
    private let view: ControlledView<Model, Event>
    private let lock = Lock()
    private var connection: Connection<Model>?
    private var models: [Model] = []
    private var isScheduled = false
    private var isClosed = false
    /// The thread that is in the view's `accept`, or 0.
    private var accepting: UInt = 0
    private var isDisposedAfterwards = false

    init(_ view: ControlledView<Model, Event>) {
        self.view = view
    }

    deinit { lock.free() }

    /// Connects the view, unless it was closed already.
    func open(_ consumer: @escaping Consumer<Event>) {
        view.place.perform { [self] in
            if lock.withLock({ isClosed }) { return }
            let connection = view.connect(consumer)
            let isTooLate = lock.withLock {
                self.connection = connection
                return isClosed
            }
            if isTooLate { dispose() }
        }
    }

    /// Leaves a model for the view.
    func offer(_ model: Model) {
        let (isFirst, skipped) = lock.withLock {
            if isClosed { return (false, Model?.none) }
            var skipped: Model?
            if case .newest(let limit) = view.buffering, models.count >= limit { skipped = models.removeFirst() }
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
        let (models, connection) = lock.withLock {
            defer { self.models = [] }
            return (self.models, self.connection)
        }
        for model in models {
            guard begin() else { return }
            connection?.accept(model)
            if end() { return dispose() }
        }
        let isMore = lock.withLock {
            isScheduled = !self.models.isEmpty && !isClosed
            return isScheduled
        }
        if isMore { view.place.post { [self] in deliver() } }
    }

    private func begin() -> Bool {
        lock.withLock {
            if isClosed { return false }
            accepting = CurrentThread.identity
            return true
        }
    }

    /// Whether the view is to be disposed by whoever gave it the model.
    private func end() -> Bool {
        lock.withLock {
            accepting = 0
            return isDisposedAfterwards
        }
    }

    /// Drops what waits and disposes the view: now, or where another thread is in its `accept`, after that.
    func close() {
        // Dropped under the lock, let go of after it: what goes away may run code of its own.
        let (isFree, dropped) = lock.withLock {
            if isClosed { return (false, [Model]()) }
            isClosed = true
            isDisposedAfterwards = accepting != 0 && accepting != CurrentThread.identity
            defer { models = [] }
            return (!isDisposedAfterwards, models)
        }
        // Nothing that waits matters any more: a view that is not open yet will not be.
        if isFree { view.place.performFirst { [self] in dispose() } }
        withExtendedLifetime(dropped) {}
    }

    /// Whether any thread is in the view's `accept`.
    var isAccepting: Bool { lock.withLock { accepting != 0 } }

    /// Whether it is the calling one.
    var isAcceptingHere: Bool { lock.withLock { accepting == CurrentThread.identity } }

    private func dispose() {
        let connection = lock.withLock {
            defer { self.connection = nil }
            return self.connection
        }
        connection?.dispose()
    }
}
