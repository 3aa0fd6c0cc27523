import FunctionalCore

extension ActionStream {
    /// Returns a stream that emits one array of all values when this stream ends.
    ///
    /// The values are kept without a limit. If this stream emits no value, the array is empty. If this stream fails,
    /// the values are dropped and the returned stream fails.
    public func collect() -> ActionStream<[Output]> {
        collect(atMost: .max, emitsEmptyArray: true)
    }

    /// Returns a stream of arrays of `count` values.
    ///
    /// At the end of this stream, the remaining values are emitted in a shorter array. If this stream fails, the
    /// remaining values are dropped and the returned stream fails. Traps if `count` is not positive.
    ///
    /// ```swift
    /// actions.ofType(Viewed.self).map(\.id).collect(20)
    ///     .flatMap { ids in try await report(ids) }
    /// ```
    public func collect(_ count: Int) -> ActionStream<[Output]> {
        if count <= 0 {
            programmerError(
                """
                A stream of \(Output.self) cannot be collected into arrays of \(count) values. To fix, pass a positive \
                count to collect.
                """)
        }
        return collect(atMost: count, emitsEmptyArray: false)
    }

    private func collect(atMost count: Int, emitsEmptyArray: Bool) -> ActionStream<[Output]> {
        lift { subscriber in
            var values: [Output] = []
            func emit() {
                let collected = values
                values = []
                subscriber.receive(collected)
            }
            return Subscriber(
                receive: { value in
                    values.append(value)
                    if values.count == count { emit() }
                },
                complete: { error in
                    if error == nil, emitsEmptyArray || !values.isEmpty { emit() }
                    subscriber.complete(error)
                }
            )
        }
    }
}
