import Synchronization

/// Something that goes on until it is cancelled: an observer, or an effect that was registered.
///
/// Dropping a registration changes nothing: what was registered then lives as long as its owner. To end it sooner, call
/// ``cancel()``, or keep it with ``store(in:)`` in a set that goes away with you.
///
/// ```swift
/// final class Screen {
///     private var registrations: Set<ScopedRegistration> = []
///
///     init(_ component: Component<Int, Input>) {
///         component.observe { print($0) }.store(in: &registrations)
///     }
/// }
/// ```
public final class Registration: Sendable {
    private let isCancelled = Atomic<Bool>(false)
    private let onCancel: @Sendable () -> Void

    /// A registration that calls `onCancel` when it is cancelled, at most once, on the thread that cancels.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends what was registered. Any thread, any number of times; it never waits. No call to what was registered begins
    /// after this has returned; one that is going on elsewhere may still end.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }

    /// Ends what was registered when `registrations`, or this one's place in it, goes away.
    public func store(in registrations: inout Set<ScopedRegistration>) {
        registrations.insert(ScopedRegistration(self))
    }
}

/// A registration that is cancelled when the last reference to it goes away.
public final class ScopedRegistration: Sendable, Hashable {
    private let registration: Registration

    /// Takes over `registration`.
    public init(_ registration: Registration) {
        self.registration = registration
    }

    deinit { registration.cancel() }

    /// Ends what was registered before its time; see ``Registration/cancel()``.
    public func cancel() {
        registration.cancel()
    }

    /// Whether both are the same registration.
    public static func == (left: ScopedRegistration, right: ScopedRegistration) -> Bool {
        left === right
    }

    /// Hashes which registration it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
