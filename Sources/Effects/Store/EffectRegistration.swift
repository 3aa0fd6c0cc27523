import ArchitectureEngine
public import FunctionalCore

/// An effect that a store runs.
///
/// It may be dropped: the effect then lives as long as the store. To end it sooner, call ``cancel()``, or keep it with
/// ``store(in:)`` in a set that goes away with you. (ReCombine ends an effect whose registration is dropped, as its own
/// guide does with the one that it shows.)
public final class EffectRegistration: Sendable {
    private let registration: Registration
    let run: EffectRun

    init(_ run: EffectRun, cancel: @escaping @Sendable () -> Void) {
        self.run = run
        registration = Registration(cancel)
    }

    /// What has become of the effect. Any thread.
    public var status: EffectStatus {
        run.status
    }

    /// Ends the effect, and its alone; cancels what it has under way. Any thread, any number of times; it never waits.
    ///
    /// No closure of it is called after this has returned, whichever operator it was given to, also in the middle of a
    /// pipeline: each operator looks before it calls. A closure that runs on another thread may finish, and so it is
    /// with one that another thread has just looked for.
    public func cancel() {
        registration.cancel()
    }

    /// Ends the effect when `registrations`, or this one's place in it, goes away.
    public func store(in registrations: inout Set<ScopedRegistration>) {
        registration.store(in: &registrations)
    }
}

/// What has become of an effect.
public enum EffectStatus: Sendable {
    /// It listens, or has something under way.
    case running
    /// Its stream has ended.
    case finished
    /// Its stream has failed, and is not begun anew.
    case failed(any Error)
    /// It was cancelled, or its store is gone.
    case cancelled
}
