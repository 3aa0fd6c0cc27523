import ArchitectureEngine
import Dispatch
import FunctionalCore
import Synchronization

extension LoopRuntime {
    /// Closes the loop, so that it drops all waiting and all later events. If the calling thread is inside a
    /// transition, observers and effects of this transition are skipped. May be called from any thread. The caller must
    /// ensure that `tearDown` is called afterwards.
    ///
    /// - Returns: Whether the loop was open.
    @discardableResult
    func close() -> Bool {
        if disposal.exchange(true, ordering: .acquiringAndReleasing) { return false }
        // Only the draining thread can be inside a transition.
        if core.isChangingHere { isCutShort = true }
        core.settling.close()
        return true
    }

    /// Calls `body`, which ends the loop. If the calling thread is inside a transition, closes the loop at once, and
    /// enqueues the call of `body`.
    func end(_ body: @escaping () -> Void) {
        guard core.isChangingHere else { return body() }
        close()
        perform(body)
    }

    /// Ends the loop, and drops all waiting and all later events. May be called from any thread.
    ///
    /// The connections are disposed at once on the draining thread, and if the loop is idle and has no queue. Within a
    /// transition, the draining thread enqueues the disposal. Otherwise a loop with a queue disposes them on its queue.
    /// A loop without one disposes them on a separate thread after the current event, because a disposable may wait for
    /// work that runs on the draining thread.
    func dispose() {
        guard close() else { return }
        if core.isDrainingHere {
            end { [self] in tearDown() }
        } else if !processNow({ tearDown() }) {
            perform { [self] in if core.isInline { tearDownElsewhere() } else { tearDown() } }
        }
    }

    /// Disposes the effect handler, cancels the observers, and disposes the event source, on another thread. Only the
    /// draining thread may call this.
    private func tearDownElsewhere() {
        let (handler, source, observers) = (effectHandler, eventSource, core.observers.entries.compactMap { $0 })
        (effectHandler, eventSource, core.observers) = (nil, nil, CancellableList())
        let (tracer, cause) = (takeTracer(), TraceCause.current)
        // A dispatch queue is used instead of a task, because the disposables may block the thread.
        DispatchQueue.global().async {
            TraceCause.with(cause) {
                handler?.dispose()
                for observer in observers { observer.cancellation.cancel() }
                source?.dispose()
                tracer?.record(.closed)
            }
        }
    }

    /// Disposes the effect handler, cancels the observers, and disposes the event source. Must be called by the
    /// draining thread, or on the loop's queue, where no other thread drains. The connections are disposed once,
    /// even if the method is called again.
    @usableFromInline
    func tearDown() {
        let (handler, source) = (effectHandler, eventSource)
        (effectHandler, eventSource) = (nil, nil)
        // The update that ended the loop may have changed the model, and code that tracks the model can still read it.
        if isCutShort { notifyReaders() }
        handler?.dispose()
        core.removeObservers()
        source?.dispose()
        takeTracer()?.record(.closed)
    }
}
