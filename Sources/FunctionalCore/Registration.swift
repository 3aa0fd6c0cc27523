import Synchronization

/// A handle that cancels the registration of an observer, or of a middleware, an interceptor or a reducer of a store.
///
/// Dropping the handle cancels nothing: the registration then lasts as long as the object that it belongs to. To cancel
/// it sooner, call ``cancel()``, or keep the handle in a set with ``store(in:)``.
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

    /// Creates a registration that calls `onCancel` when it is cancelled.
    ///
    /// `onCancel` is called at most once, on the thread that cancels the registration.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Cancels the observer, the middleware, the interceptor or the reducer that was registered.
    ///
    /// Thread-safe. May be called any number of times, and does not wait. When it returns, the registered closure is
    /// not called any more, with one exception: a call that another thread is making, or is just about to make, still
    /// takes place.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }

    /// Adds this registration to a set, so that it is cancelled when it is removed or when the set is deallocated.
    public func store(in registrations: inout Set<ScopedRegistration>) {
        registrations.insert(ScopedRegistration(self))
    }
}

/// A registration that is cancelled when the last reference to it is released.
public final class ScopedRegistration: Sendable, Hashable {
    private let registration: Registration

    /// Creates a scoped registration that cancels `registration` when it is deallocated.
    public init(_ registration: Registration) {
        self.registration = registration
    }

    deinit { registration.cancel() }

    /// Cancels the registration before this object is deallocated. See ``Registration/cancel()``.
    public func cancel() {
        registration.cancel()
    }

    /// Returns whether both references refer to the same object.
    public static func == (left: ScopedRegistration, right: ScopedRegistration) -> Bool {
        left === right
    }

    /// Hashes the identity of this object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
