public import FunctionalCore

/// A view of a part of a state: the implementation of a component's scope and of a store's selection.
@usableFromInline
package struct PartView<Part: Sendable>: Sendable {
    @usableFromInline package let queue: ActorQueue
    @usableFromInline package let observation: ObservationBridge
    // A tracked read retains `read` and `isSame`, so these closures must not retain the component or the store.
    @usableFromInline package let read: @Sendable () -> Part
    @usableFromInline package let isSame: @Sendable (Part, Part) -> Bool
    /// Returns whether the part is present, or `nil` if it always is.
    @usableFromInline package let isPresent: (@Sendable () -> Bool)?
    /// Returns the number of changes of the state.
    @usableFromInline package let changeCount: @Sendable () -> Int
    /// The function that registers an observer. The observer is notified of the part at once, and then after each
    /// change of the state, even if the part has not changed.
    @usableFromInline package let attach: @Sendable (Observer<Part>) -> Registration

    @inlinable
    package init(
        queue: ActorQueue,
        observation: ObservationBridge,
        read: @escaping @Sendable () -> Part,
        isSame: @escaping @Sendable (Part, Part) -> Bool,
        isPresent: (@Sendable () -> Bool)? = nil,
        changeCount: @escaping @Sendable () -> Int,
        attach: @escaping @Sendable (Observer<Part>) -> Registration
    ) {
        self.queue = queue
        self.observation = observation
        self.read = read
        self.isSame = isSame
        self.isPresent = isPresent
        self.changeCount = changeCount
        self.attach = attach
    }

    /// The current part. `withObservationTracking` tracks the read. While the part is absent, it counts as unchanged.
    @inlinable
    package var value: Part {
        observation.read(part: read, by: isSame, unlessAbsent: isPresent)
    }

    /// Calls `body` after each change of the part. If `initial` is `true`, also calls `body` with the current part.
    @inlinable
    package func observe(
        initial: Bool = true, isolation: (any Actor)?, buffering: AsyncStream<Part>.Continuation.BufferingPolicy,
        until cancellation: Cancellation = Cancellation(), _ body: @escaping (Part) -> Void
    ) -> Registration {
        let observer = Observer(isolation: isolation, by: queue, buffering: buffering, until: cancellation, body)
        return attach((initial ? observer : observer.dropFirst()).onlyChanges(by: isSame))
    }

    /// Calls `body` on the main actor with `owner` and the part after each change of the part, until `owner` is
    /// deallocated. If `initial` is `true`, also calls `body` with the current part.
    @MainActor
    package func observe<Owner: AnyObject>(
        with owner: Owner, initial: Bool = true, buffering: AsyncStream<Part>.Continuation.BufferingPolicy,
        _ body: @escaping @MainActor (Owner, Part) -> Void
    ) -> Registration {
        let cancellation = Cancellation()
        return observe(initial: initial, isolation: MainActor.shared, buffering: buffering, until: cancellation) {
            [weak owner] part in
            if let owner { body(owner, part) } else { cancellation.cancel() }
        }
    }

    /// Returns an asynchronous sequence of the current part and of each later change of the part.
    package func values(buffering: AsyncStream<Part>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<Part> {
        AsyncStream(buffering: buffering) { attach($0.onlyChanges(by: isSame)) }
    }
}

extension AsyncStream where Element: Sendable {
    /// Creates a sequence of the values of which an observer is notified. The sequence ends when the observer is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - buffering: The policy for values that arrive faster than they are consumed.
    ///   - attach: Registers the observer.
    package init(
        buffering: Continuation.BufferingPolicy = .unbounded, attach: (Observer<Element>) -> Registration
    ) {
        self.init(bufferingPolicy: buffering) { continuation in
            let observer = Observer<Element>(Cancellation { continuation.finish() }) { continuation.yield($0.value) }
            let registration = attach(observer)
            continuation.onTermination = { _ in registration.cancel() }
        }
    }
}
