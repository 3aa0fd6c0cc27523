import Synchronization

/// A callback with which an effect handler sends events and signals that it has ended. Thread-safe.
///
/// All methods may be called re-entrantly and while the loop is being disposed. A call that begins when ``ended`` is
/// `true` sends no event, so a handler need not check it.
///
/// A loop retains the callback of an effect until the callback has ended, a policy cancels the effect, or the loop is
/// disposed. A handler that only drops its callback therefore does not end it. A callback that no loop retains, for
/// example in a test, ends when it is deallocated.
///
/// The type is based on Mobius' type of this name.
public final class EffectCallback<Event>: Sendable {
    private let hasEnded = Atomic<Bool>(false)
    /// The context of the effect, or `nil` if `init(onSend:onEnd:)` created the callback.
    private let context: HandlerContext<Event>?
    private let onSend: Consumer<Event>
    private let onEnd: @Sendable () -> Void

    /// Creates a callback that calls the given closures, for example in a test of a handler.
    ///
    /// - Parameters:
    ///   - onSend: Called with each event, by the thread that sends it.
    ///   - onEnd: Called once when the callback ends, by the thread that ends it.
    public convenience init(onSend: @escaping Consumer<Event>, onEnd: @escaping @Sendable () -> Void) {
        self.init(context: nil, onSend: onSend, onEnd: onEnd)
    }

    convenience init(context: HandlerContext<Event>, onEnd: @escaping @Sendable () -> Void) {
        self.init(context: context, onSend: { context.send($0) }, onEnd: onEnd)
    }

    private init(
        context: HandlerContext<Event>?, onSend: @escaping Consumer<Event>, onEnd: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.onSend = onSend
        self.onEnd = onEnd
    }

    deinit { end() }

    /// A Boolean value that indicates whether the callback sends no more events.
    ///
    /// It becomes `true` when the callback ends, when a policy cancels the effect, and when the loop is disposed. It
    /// never becomes `false` again.
    public var ended: Bool {
        hasEnded.load(ordering: .acquiring) || context?.isStopped == true
    }

    /// Sends an event to the loop, unless ``ended`` is `true`.
    public func send(_ event: Event) {
        if ended { context?.drop(event) } else { onSend(event) }
    }

    /// Ends the callback: the effect has been handled. A second call does nothing.
    public func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }

    /// Sends events, in order, and ends the callback. Does nothing after the callback has ended.
    ///
    /// ``ended`` is `true` before the first event is sent.
    public func end(with events: Event...) {
        end(with: events)
    }

    /// Sends events, in order, and ends the callback; see ``end(with:)-(Event...)``.
    public func end(with events: [Event]) {
        if hasEnded.exchange(true, ordering: .acquiringAndReleasing) {
            for event in events { context?.drop(event) }
            return
        }
        for event in events { onSend(event) }
        onEnd()
    }

    /// Sends `event`, if it is not `nil`, and ends the callback; see ``end(with:)-(Event...)``.
    func end(sending event: Event?) {
        end(with: event.map { [$0] } ?? [])
    }
}
