import FunctionalCore

extension ActionStream {
    /// Returns the stream that `body` makes from this stream. This stream starts once, however often `body` uses it.
    ///
    /// A stream is a description. If a description is used twice, for example in both arguments of a `merge`, the store
    /// runs it twice: a request is then made twice. This method runs it once, and passes each value to all streams that
    /// `body` has derived from it, in the order in which these have started.
    ///
    /// ```swift
    /// actions.ofType(GetPost.self).flatMap(download).share { post in
    ///     post.map { Loaded(title: $0.title) }.eraseActionType()
    ///         .merge(with: post.map { Indexed(words: $0.words) }.eraseActionType())
    /// }
    /// ```
    ///
    /// This stream starts after all streams of `body` have started, so these streams receive all values. A use that
    /// starts later, for example in the closure of a `flatMap`, receives only later values. If this stream has ended by
    /// then, the use ends in the same way. This stream is stopped when the returned stream ends.
    ///
    /// `share` takes a closure, as `publish(selector)` of RxJava and `connect` of RxJS do, because two runs of a
    /// description share nothing.
    ///
    /// - Parameter body: Returns the stream to run for the shared stream. It is called each time the returned stream
    ///   starts, so it must be pure.
    public func share<New>(
        _ body: @escaping @Sendable (_ shared: ActionStream) -> ActionStream<New>
    ) -> ActionStream<New> {
        .ending { run, subscriber in
            let sharing = Locked(Sharing<Output>())
            // The closures of a use may retain the shared stream, which retains its uses.
            run.onEnd { _ = sharing.withLock { $0.end(nil) } }
            let shared = ActionStream { run, subscriber in
                let (end, released) = sharing.withLock { $0.add(subscriber, of: run) }
                if case .ended(let error)? = end { subscriber.complete(error) }
                withExtendedLifetime(released) {}
            }
            body(shared).start(run, subscriber)
            if run.isOver { return }
            start(
                run,
                Subscriber(
                    receive: { value in
                        let uses = sharing.withLock { $0.uses }
                        for use in uses where !use.run.isOver { use.subscriber.receive(value) }
                    },
                    complete: { error in
                        let uses = sharing.withLock { $0.end(error) }
                        for use in uses where !use.run.isOver { use.subscriber.complete(error) }
                    }
                )
            )
        }
    }
}

/// The uses of a shared stream, in the order in which they have started.
private struct Sharing<Output: Sendable> {
    typealias Use = (run: StreamRun, subscriber: Subscriber<Output>)

    enum End {
        case ended((any Error)?)
    }

    private(set) var uses: [Use] = []
    private var end: End?
    /// When there are this many uses, the uses that have ended are removed. So adding a use costs O(1), amortized.
    private var limit = 16

    /// Adds a use. If the stream has ended, returns its end instead. If there are `limit` uses, removes those that have
    /// ended, and returns the previous uses. The caller releases these outside of the lock.
    mutating func add(_ subscriber: Subscriber<Output>, of run: StreamRun) -> (end: End?, released: [Use]) {
        if let end { return (end, []) }
        var released: [Use] = []
        if uses.count >= limit {
            released = uses
            uses = released.filter { !$0.run.isOver }
            limit = max(16, 2 * uses.count)
        }
        uses.append((run, subscriber))
        return (nil, released)
    }

    /// Ends the stream, and returns its uses.
    mutating func end(_ error: (any Error)?) -> [Use] {
        defer { uses = [] }
        end = .ended(error)
        return uses
    }
}
