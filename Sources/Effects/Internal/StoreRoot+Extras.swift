import ArchitectureEngine
import FunctionalCore

extension StoreRoot {
    @usableFromInline
    @inline(never)
    func passMiddleware(_ action: any Action) {
        pass(action, through: extras?.middleware[...] ?? [])
    }

    private func pass(_ action: any Action, through list: ArraySlice<(Cancellation, Middleware<S>)>) {
        let wasPassing = isPassing
        defer { isPassing = wasPassing }
        guard let index = list.firstIndex(where: { !$0.0.isCancelled }) else {
            isPassing = false
            return commit(action)
        }
        isPassing = true
        let rest = list[(index + 1)...]
        let cause = cause(of: nil)
        list[index].1.handle(action, MiddlewareStore(root: self)) { [weak self] action in
            self?.goOn(with: action, through: rest, cause)
        }
    }

    /// Hands an action on: at once while middleware is asked, otherwise in turn, as a reducer and observers may be at
    /// work.
    private func goOn(
        with action: any Action, through rest: ArraySlice<(Cancellation, Middleware<S>)>, _ cause: Cause
    ) {
        if core.isDrainingHere, isPassing { return pass(action, through: rest) }
        send(.perform(cause) { [self] in pass(action, through: rest) })
    }

    @usableFromInline
    @inline(never)
    func commitTelling(_ action: any Action) {
        let extras = extras ?? StoreExtras()
        let interceptors = extras.interceptors.filter { !$0.0.isCancelled }
        let old = interceptors.isEmpty ? nil : core.state.pointee
        core.change { state in
            reduce(&state, action)
            for (cancellation, reduce) in extras.reducers where !cancellation.isCancelled { reduce(&state, action) }
        }
        if !observers.isEmpty { observers.notify(of: core.state) }
        watch.changed()
        guard let old else { return }
        let new = core.state.pointee
        for (cancellation, intercept) in interceptors where !cancellation.isCancelled { intercept(action, old, new) }
    }

    /// Adds something to what is around the reducer, until it is cancelled.
    func add(_ body: @escaping (inout StoreExtras<S>, Cancellation) -> Void) -> Registration {
        let cancellation = Cancellation()
        send(
            .perform(nil) { [self] in
                var extras = self.extras ?? StoreExtras()
                body(&extras, cancellation)
                self.extras = extras
            }
        )
        return registration(cancellation) { root in
            root.extras?.removeCancelled()
            if root.extras?.isEmpty == true { root.extras = nil }
        }
    }
}
