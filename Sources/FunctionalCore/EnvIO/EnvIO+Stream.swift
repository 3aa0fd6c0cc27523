extension EnvIO {
    /// Returns a program that folds the elements of an asynchronous sequence, one after the other.
    ///
    /// ```swift
    /// let sum = EnvIO<Sensor, any Error, Int>.fromStream({ $0.readings }, into: 0, next: { sum, reading in
    ///     EnvIO { sensor in sum + sensor.calibrated(reading) }
    /// })
    /// ```
    ///
    /// The next element is requested when the program for the previous element has ended. So a slow program delays the
    /// stream, and no elements are buffered. Any number of elements is processed in constant stack space.
    ///
    /// A failure of the stream or of a program ends the whole program. Cancelling the run ends it as cancelled, even if
    /// the stream reacts to cancellation by finishing. In each case, the stream's iterator is released.
    ///
    /// A stream that can fail must have the failure type of the programs. To convert failures of the programs, use
    /// ``mapError(_:)``.
    ///
    /// If a program provides the stream, run that program first:
    /// `connect.flatMap { lines in .fromStream({ _ in lines }, into: 0, next: …) }`.
    ///
    /// - Parameters:
    ///   - stream: Returns the sequence. Called once in each run.
    ///   - initial: The value that `next` receives with the first element, and the result if there are no elements.
    ///   - next: Returns the program for an element. `next` receives the value of that program with the following
    ///     element. The value of the last program is the result.
    @_alwaysEmitIntoClient
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        into initial: Value,
        next: @escaping @Sendable (Value, Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Failure, Value: Sendable {
        reading(stream) { $0.fold(from: initial, next) }
    }

    /// Returns a program that folds the elements of an asynchronous sequence that cannot fail, one after the other.
    ///
    /// See the overload for a sequence that can fail.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        into initial: Value,
        next: @escaping @Sendable (Value, Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Never, Value: Sendable {
        reading(stream) { $0.fold(from: initial, next) }
    }

    /// Returns a program that succeeds with the first element of an asynchronous sequence, or with `nil` if it is
    /// empty.
    ///
    /// The program does not request a second element. See `fromStream(_:into:next:)` for failures and cancellation.
    @_alwaysEmitIntoClient
    public static func first<Stream: AsyncSequence & SendableMetatype>(
        of stream: @escaping @Sendable (Environment) -> Stream
    ) -> EnvIO where Stream.Failure == Failure, Value == Stream.Element? {
        reading(stream) { $0.next() }
    }

    /// Returns a program that succeeds with the first element of an asynchronous sequence that cannot fail, or with
    /// `nil` if it is empty.
    ///
    /// The program does not request a second element.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public static func first<Stream: AsyncSequence & SendableMetatype>(
        of stream: @escaping @Sendable (Environment) -> Stream
    ) -> EnvIO where Stream.Failure == Never, Value == Stream.Element? {
        reading(stream) { $0.next() }
    }

    /// Returns a program that creates a reader of the stream, and then runs the program that `read` returns for the
    /// reader.
    @inlinable
    static func reading<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        _ read: @escaping @Sendable (StreamReader<Stream>) -> EnvIO
    ) -> EnvIO {
        EnvIO<Environment, Failure, StreamReader<Stream>>.access { StreamReader(stream($0)) }.flatMap(read)
    }
}

extension EnvIO where Value == Void {
    /// Returns a program that runs `body` for each element of an asynchronous sequence.
    ///
    /// The programs run one after the other, until the sequence ends. See `fromStream(_:into:next:)` for failures,
    /// cancellation and back pressure.
    ///
    /// ```swift
    /// let copying = EnvIO<Pipe, any Error, Void>.fromStream({ $0.lines }, forEach: { line in
    ///     EnvIO { pipe in try await pipe.write(line) }
    /// })
    /// ```
    @_alwaysEmitIntoClient
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        forEach body: @escaping @Sendable (Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Failure {
        fromStream(stream, into: (), next: { _, element in body(element) })
    }

    /// Returns a program that runs `body` for each element of an asynchronous sequence that cannot fail.
    ///
    /// See the overload for a sequence that can fail.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        forEach body: @escaping @Sendable (Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Never {
        fromStream(stream, into: (), next: { _, element in body(element) })
    }
}

/// The position of one run in a stream.
@usableFromInline
struct StreamReader<Stream: AsyncSequence & SendableMetatype>: Sendable {
    // `nil` during a request, because an access to a property must not span an `await`.
    private let iterator: RunVariable<Stream.AsyncIterator?>

    @usableFromInline
    init(_ stream: Stream) {
        iterator = RunVariable(stream.makeAsyncIterator())
    }

    /// Returns a program that succeeds with the next element, or with `nil` at the end.
    ///
    /// `Failure` is the failure type of the stream. If the stream cannot fail, `Failure` may be any type.
    @usableFromInline
    func next<Environment, Failure>() -> EnvIO<Environment, Failure, Stream.Element?> {
        EnvIO(waiting: { _, register in
            guard var iterator = self.iterator.value.take() else {
                programmerError("The next element of a stream was requested before the previous request had ended.")
            }
            do throws(Stream.Failure) {
                let element = try await iterator.next(isolation: #isolation)
                if element == nil, Task.isCancelled { return .cancelled }
                self.iterator.value = iterator
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
            return body(value, element).flatMap { value in fold(from: value, body) }
        }
    }
}
