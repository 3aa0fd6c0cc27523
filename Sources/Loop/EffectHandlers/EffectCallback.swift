import ArchitectureEngine
import Synchronization

/// How a handler answers: it sends events, and ends.
///
/// All of it may be called from any thread, also from within one another and while the loop is being disposed. Once a
/// callback has ended, or its loop was disposed, everything it is told is ignored: a handler need not know. A callback
/// that nobody holds any more ends; that of an effect is held by its loop until it has ended, or the loop is disposed.
///
/// After Mobius' type of this name.
public final class EffectCallback<Event>: Sendable {
    private let hasEnded = Atomic<Bool>(false)
    private let life: HandlerLife?
    private let work: Work?
    private let onSend: Consumer<Event>
    private let onEnd: @Sendable () -> Void

    /// A callback of two closures, to try a handler out with.
    ///
    /// - Parameters:
    ///   - onSend: Called for each event, on the thread that sends it.
    ///   - onEnd: Called once, when it ends, on the thread that ends it.
    public convenience init(onSend: @escaping Consumer<Event>, onEnd: @escaping @Sendable () -> Void) {
        self.init(life: nil, work: nil, onSend: onSend, onEnd: onEnd)
    }

    init(
        life: HandlerLife?,
        work: Work?,
        onSend: @escaping Consumer<Event>,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.life = life
        self.work = work
        self.onSend = onSend
        self.onEnd = onEnd
    }

    deinit { end() }

    /// Whether nothing is sent any more: false, then true for ever.
    public var ended: Bool {
        hasEnded.load(ordering: .acquiring) || isStopped
    }

    /// Sends an event to the loop. After the end, does nothing.
    public func send(_ event: Event) {
        if !ended { onSend(event) }
    }

    /// Ends: the effect was handled. A second time, does nothing.
    public func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }

    /// Sends events, in order, and ends; ``ended`` is true from the beginning. After the end, does nothing.
    public func end(with events: Event...) {
        end(with: events)
    }

    /// Sends events, in order, and ends; see ``end(with:)-(Event...)``.
    public func end(with events: [Event]) {
        if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
        for event in events where !isStopped { onSend(event) }
        onEnd()
    }

    /// Whether the loop has gone, or a newer effect has taken this one's place.
    private var isStopped: Bool {
        life?.hasEnded == true || work?.isSet == true
    }
}
