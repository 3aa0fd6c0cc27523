package import FunctionalCore
import Observation
public import Synchronization

/// What `withObservationTracking` sees of a component: a value that is read with the state and changes after it.
///
/// Notified after the change and on the main actor, where tracking happens: told around the change, or from another
/// thread, tracking misses updates. Nothing is notified unless the state was read since the last time.
@usableFromInline
package final class Watch: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    @usableFromInline let isRead = Atomic<Bool>(false)
    private let isScheduled = Atomic<Bool>(false)
    private let isAttached = Atomic<Bool>(false)
    private let registration = AtomicLazyReference<Registration>()

    @usableFromInline
    package init() {}

    // What the key path names; the state itself is nowhere near.
    private var version: Int { 0 }

    /// Reads the state as tracking wants it: a change after `value` was read is told of.
    package func read<Value>(_ value: () -> Value) -> Value {
        registrar.access(self, keyPath: \.version)
        isRead.store(true, ordering: .sequentiallyConsistent)
        return value()
    }

    /// Whether this is the first time that this is asked: a part begins to listen when it is first read.
    package var isFirstRead: Bool {
        !isAttached.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Keeps what tells this of changes, until it goes away.
    package func listen(by registration: Registration) {
        _ = self.registration.storeIfNil(registration)
    }

    deinit { registration.load()?.cancel() }

    /// To be called after each change, by who drains. Costs a load unless the state was read.
    @inlinable
    @inline(__always)
    package func changed() {
        if isRead.load(ordering: .sequentiallyConsistent) { notify() }
    }

    @usableFromInline
    @inline(never)
    func notify() {
        if CurrentThread.isMain { return tell() }
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { @MainActor in
            isScheduled.store(false, ordering: .releasing)
            tell()
        }
    }

    private func tell() {
        guard isRead.exchange(false, ordering: .acquiringAndReleasing) else { return }
        registrar.willSet(self, keyPath: \.version)
        registrar.didSet(self, keyPath: \.version)
    }
}
