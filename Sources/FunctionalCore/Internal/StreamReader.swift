/// The place of one run in a stream.
///
/// Unchecked: it belongs to a run, which one thread at a time uses.
@usableFromInline
final class StreamReader<Stream: AsyncSequence & SendableMetatype>: @unchecked Sendable {
    // Outside of the object while it is used: no field is in use across an `await`.
    private var iterator: Stream.AsyncIterator?

    @usableFromInline
    init(_ stream: Stream) {
        iterator = stream.makeAsyncIterator()
    }

    /// The next element; `nil` at the end. `Failure` is the stream's, or any other where the stream has none.
    @usableFromInline
    func next<Environment, Failure>() -> EnvIO<Environment, Failure, Stream.Element?> {
        EnvIO(waiting: { _, register in
            guard var iterator = self.iterator.take() else {
                programmerError("An element was asked for while one was.")
            }
            do throws(Stream.Failure) {
                let element = try await iterator.next(isolation: #isolation)
                if element == nil, Task.isCancelled { return .cancelled }
                self.iterator = iterator
                register.put(element)
                return .value
            } catch {
                if error is CancellationError, Task.isCancelled { return .cancelled }
                register.put(error)
                return .failure
            }
        })
    }

    @usableFromInline
    func fold<Environment, Failure, Value: Sendable>(
        from value: Value,
        _ body: @escaping @Sendable (Value, Stream.Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, Value> {
        next().flatMap { element in
            guard let element else { return .pure(value) }
            return body(value, element).flatMap { value in self.fold(from: value, body) }
        }
    }
}
