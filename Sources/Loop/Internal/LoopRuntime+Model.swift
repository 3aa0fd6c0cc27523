public import ArchitectureEngine
public import FunctionalCore
public import Synchronization

extension LoopRuntime {
    /// The model as it is now. May be read from any thread, but traps in the update function.
    @inlinable
    var model: Model {
        if core.isChangingHere { refuse("was asked for its model") }
        return core.read { $0 }
    }

    /// Notifies code that tracks the model. Created when the model is first read, because most loops are not tracked.
    @usableFromInline
    var observation: ObservationBridge {
        lazyObservation.load() ?? lazyObservation.storeIfNil(ObservationBridge())
    }

    /// Whether the model is tracked. A read creates the bridge before it locks the model, so a change that the read does
    /// not see is followed by a load that finds the bridge.
    @inlinable
    var isTracked: Bool { lazyObservation.load()?.isTracked == true }

    /// Has the next change of the model notify the code that tracks this read.
    @usableFromInline
    func trackRead() {
        observation.read {}
    }

    /// Traps: the update function used its own loop.
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

    /// Adds an observer and notifies it of the model: at once, unless another thread is handling an event.
    @usableFromInline
    func attach(_ observer: Observer<Model>) -> Registration {
        refuseWithinTransition("was observed")
        if core.isDrainingHere {
            // The messages that the observer sends now are attributed to the current sender.
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
