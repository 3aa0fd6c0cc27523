import ArchitectureEngine
import FunctionalCore

extension StoreRoot {
    @usableFromInline
    @inline(never)
    func passMiddleware(_ action: any Action) {
        pass(action, through: extras?.middleware.entries[...] ?? [])
    }

    private func pass(_ action: any Action, through list: ArraySlice<StoreExtra<Middleware<S>>?>) {
        let (wasPassing, sender) = (isPassing, core.sender)
        defer { (isPassing, core.sender) = (wasPassing, sender) }
        guard let index = list.firstIndex(where: { $0?.cancellation.isCancelled == false }),
            let middleware = list[index]
        else {
            isPassing = false
            return commit(action)
        }
        isPassing = true
        core.sender = ObjectIdentifier(middleware.cancellation)
        let rest = list[(index + 1)...]
        middleware.body.handle(action, MiddlewareStore(root: self)) { [weak self] action in
            self?.goOn(with: action, through: rest)
        }
    }

    /// Passes an action to the next middleware: at once if the store asks middleware at the moment, otherwise in turn,
    /// as a reducer or observers may be running.
    private func goOn(with action: any Action, through rest: ArraySlice<StoreExtra<Middleware<S>>?>) {
        if core.isDrainingHere, isPassing { return pass(action, through: rest) }
        perform { [self] in pass(action, through: rest) }
    }

    @usableFromInline
    @inline(never)
    func commitTelling(_ action: any Action) {
        let (reducers, interceptors) = (extras?.reducers.entries ?? [], extras?.interceptors.entries ?? [])
        let old = extras?.interceptors.hasAny == true ? core.state.pointee : nil
        core.change { state in
            reduce(&state, action)
            for case let reducer? in reducers where !reducer.cancellation.isCancelled { reducer.body(&state, action) }
        }
        publish()
        guard let old else { return }
        let new = core.state.pointee
        for case let interceptor? in interceptors where !interceptor.cancellation.isCancelled {
            core.sender = ObjectIdentifier(interceptor.cancellation)
            interceptor.body(action, old, new)
        }
        core.sender = nil
    }

    /// Adds something around the reducer, until it is cancelled.
    func add<Body: Sendable>(
        _ body: Body, to list: any WritableKeyPath<StoreExtras<S>, CancellableList<StoreExtra<Body>>> & Sendable
    ) -> Registration {
        refuseWithinTransition("given a middleware, an interceptor or a reducer")
        let cancellation = Cancellation()
        perform { [self] in
            // Taken out, so that the list is not copied.
            var extras = self.extras.take() ?? StoreExtras()
            extras[keyPath: list].append(StoreExtra(cancellation: cancellation, body: body))
            self.extras = extras
        }
        return registration(cancellation) { [weak self] _, cancellation in
            defer { if self?.extras?.isEmpty == true { self?.extras = nil } }
            return self?.extras?[keyPath: list].remove(cancellation)
        }
    }
}
