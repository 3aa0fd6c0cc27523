public import ArchitectureEngine
public import FunctionalCore
public import Synchronization

extension LoopRuntime {
    /// The current model. May be read from any thread. Traps in the update function.
    @inlinable
    var model: Model {
        if core.isChangingHere { refuse("was asked for its model") }
        return core.read { $0.value }
    }

    /// The bridge that notifies code that tracks the model. A loop without a controller creates its bridge when it
    /// first needs one, because most loops are never tracked.
    @usableFromInline
    var observation: ObservationBridge {
        setup.observation ?? lazyObservation.load() ?? lazyObservation.storeIfNil(ObservationBridge())
    }

    /// Registers a read of the model. If `withObservationTracking` tracks the read, the next change of the model
    /// notifies the tracking code. Must be called before the model is read.
    @usableFromInline
    func trackRead() {
        if ObservationBridge.trackRead(of: observation) { expectTracking() }
    }

    /// Sets `mayBeTracked`, so that the next change checks whether the model is tracked. The caller registers a read
    /// with the bridge before this call, and reads the model afterwards. If the read misses a change, the check after
    /// that change sees the flag.
    func expectTracking() {
        mayBeTracked.store(true, ordering: .sequentiallyConsistent)
    }

    /// Notifies code that tracks the model that the model has changed. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    func notifyReaders() {
        if mayBeTracked.load(ordering: .relaxed) { notifyTracked() }
    }

    @usableFromInline
    func notifyTracked() {
        // The flag is reset before the check, because a read that the check misses sets the flag again afterwards.
        mayBeTracked.store(false, ordering: .sequentiallyConsistent)
        guard observation.isTracked else { return }
        // Code whose tracking is not installed yet misses this notification. The flag stays set, so that the next
        // change notifies it.
        mayBeTracked.store(true, ordering: .relaxed)
        notifyTracking()
    }

    /// The sender of the events that the event source sends when it accepts a model. The chain guard needs an object
    /// that stands for no other sender of this loop.
    @inlinable
    var eventSourceSender: AnyObject { sharedSetup }

    /// Traps, because the update function has used its own loop.
    ///
    /// - Parameter use: The use, with its verb: "was observed".
    @usableFromInline
    @inline(never)
    func refuse(_ use: String) -> Never {
        programmerError(
            """
            \(setup.owner) \(use) in its own update function. \
            To fix, use the model that the update function is given, or leave it to an effect.
            """
        )
    }

    /// Registers an observer and notifies it of the model. This happens at once on the draining thread, and if the loop
    /// is idle and has no queue. Otherwise it is enqueued. If the loop is disposed, the observer is cancelled. Traps in
    /// the update function.
    @usableFromInline
    func attach(_ observer: Observer<Model>) -> Registration {
        refuseWithinTransition("was observed")
        if core.isDrainingHere {
            // The chain guard attributes the messages that the observer sends now to the current sender.
            core.observers.append(observer)
            observer.accept(core.state)
            // Nothing else would remove an observer that registers after the loop was torn down.
            if isDisposed {
                observer.cancellation.cancel()
                _ = core.observers.remove(observer.cancellation)
            }
        } else {
            perform { [self] in if isDisposed { observer.cancellation.cancel() } else { core.add(observer) } }
        }
        return registration(observer.cancellation) { $0.observers.remove($1) }
    }
}
