import ArchitectureEngine
public import FunctionalCore

/// An effect that is registered with a store.
///
/// Dropping the registration does not cancel the effect: it then runs until the store is deallocated. To end it sooner,
/// call ``cancel()``, or keep the registration in a set with ``store(in:)``.
///
/// In ReCombine, dropping the registration ends the effect.
public final class EffectRegistration: Sendable {
    private let run: EffectRun
    private let registration: Registration

    init(_ run: EffectRun) {
        self.run = run
        registration = Registration { run.cancel() }
    }

    /// The current status of the effect.
    ///
    /// May be read from any thread.
    public var status: EffectStatus {
        run.status
    }

    /// Ends this effect, and cancels the work that it has under way. Other effects are not affected.
    ///
    /// May be called from any thread and any number of times. It does not wait for work that is still running.
    ///
    /// Each operator checks for cancellation before it calls its closure, so a value that is passing through a pipeline
    /// stops at the next operator. A closure may still be called shortly after this method has returned, if another
    /// thread checked just before the cancellation.
    public func cancel() {
        registration.cancel()
    }

    /// Stores the registration in a set, and cancels the effect when the registration is removed from the set.
    ///
    /// The effect is also cancelled when the set is deallocated.
    ///
    /// - Parameter registrations: The set, which is usually a property of the object that the effect belongs to.
    public func store(in registrations: inout Set<ScopedRegistration>) {
        registration.store(in: &registrations)
    }
}
