// `merge`, `zip` and `combineLatest` of any number of streams, under the names that RxSwift gives them.

extension ActionStream {
    /// Returns a stream that is made from many streams. Without streams, it ends at once. If a stream fails, the
    /// returned stream fails and the other streams are stopped.
    ///
    /// The streams start in order, and receive an action in that order. If a stream ends the returned stream at once,
    /// the streams after it do not start. The streams are started and ended in loops, so their number needs no stack.
    ///
    /// - Parameter makeReceiver: Returns the function that receives the index of a stream, and its value or `nil` at
    ///   its end. It is called with the runs of the streams when the stream starts, so each run has variables of its own.
    private static func joining<Part>(
        _ streams: [ActionStream<Part>],
        _ makeReceiver: @escaping @Sendable (Subscriber<Output>, [StreamRun]) -> (Int, Part?) -> Void
    ) -> ActionStream {
        if streams.isEmpty { return .empty }
        return .ending(isPaced: true) { run, subscriber in
            // Each stream has a run, so that a listener that it adds later is called in the order of the streams.
            let parts = streams.map { _ in StreamRun(in: run) }
            let receive = makeReceiver(subscriber, parts)
            for (index, stream) in streams.enumerated() where !run.isOver {
                stream.start(parts[index], subscriber.part { receive(index, $0) })
            }
        }
    }

    /// Returns a stream of the values of all `streams`, as they arrive.
    ///
    /// The returned stream ends when all streams have ended. Without streams, it ends at once. If a stream fails, the
    /// returned stream fails and the work of the other streams is cancelled. Needs constant stack space, and constant
    /// time for each value.
    ///
    /// ```swift
    /// .merge(rooms.map { room in messages(of: room) })
    /// ```
    public static func merge(_ streams: [ActionStream]) -> ActionStream {
        .joining(streams) { subscriber, _ in
            var open = streams.count
            return { _, value in
                if let value { return subscriber.receive(value) }
                open -= 1
                if open == 0 { subscriber.complete(nil) }
            }
        }
    }

    /// Returns a stream of the latest values of all `streams`, in their order.
    ///
    /// The returned stream emits an array for each value of any stream, as soon as all streams have emitted a value. It
    /// ends when all streams have ended, or when a stream ends without a value, because no array can follow. Without
    /// streams, it ends at once. If a stream fails, the returned stream fails and the other streams are stopped. Needs
    /// constant stack space; an array takes time that is linear in the number of streams.
    ///
    /// ```swift
    /// .combineLatest(fields.map { field in actions.ofType(Typed.self).filter { $0.field == field }.map(\.text) })
    ///     .map { texts in Validate(texts: texts) }
    /// ```
    public static func combineLatest<Part>(_ streams: [ActionStream<Part>]) -> ActionStream where Output == [Part] {
        .joining(streams) { subscriber, _ in
            var latest = [Part?](repeating: nil, count: streams.count)
            var (missing, open) = (streams.count, streams.count)
            return { index, value in
                guard let value else {
                    open -= 1
                    if open == 0 || latest[index] == nil { subscriber.complete(nil) }
                    return
                }
                if latest[index] == nil { missing -= 1 }
                latest[index] = .some(value)
                if missing == 0 { subscriber.receive(latest.compactMap { $0 }) }
            }
        }
    }

    /// Returns a stream of arrays of the first values of all `streams`, of the second values, and so on.
    ///
    /// Values that wait for their partners are kept without a limit: if one stream emits many more values than another
    /// stream, memory grows. A stream of ``sequence(_:)``, also behind operators such as `map`, is read no further
    /// than its next value, so it may have no end. The returned stream ends when a stream has ended and each value of
    /// that stream has been passed on. Without streams, it ends at once. If a stream fails, the returned stream fails at once and the other
    /// streams are stopped. Needs constant stack space; an array takes time that is linear in the number of streams.
    ///
    /// ```swift
    /// .zip(parts.map { part in ActionStream { try await download(part) } }).map { data in Downloaded(parts: data) }
    /// ```
    public static func zip<Part>(_ streams: [ActionStream<Part>]) -> ActionStream where Output == [Part] {
        .joining(streams) { subscriber, parts in
            var waiting = [WaitingValues<Part>](repeating: WaitingValues(), count: streams.count)
            var missing = streams.count
            let pacer = parts[0].parent?.pacer
            func resume() {
                for (index, part) in parts.enumerated() where waiting[index].isEmpty { part.resume() }
            }
            return { index, value in
                if value != nil, waiting[index].isEmpty { missing -= 1 }
                waiting[index].append(value)
                parts[index].isPausing = true
                if missing == 0 {
                    let values = waiting.indices.map { waiting[$0].removeFirst() }
                    missing = waiting.count { $0.isEmpty }
                    subscriber.receive(values)
                    if waiting.contains(where: \.isDone) { return subscriber.complete(nil) }
                    if let pacer, pacer.isPausing { pacer.pause(resume) } else { resume() }
                } else if waiting[index].isDone {
                    subscriber.complete(nil)
                }
            }
        }
    }
}
