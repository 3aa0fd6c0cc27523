extension EnvIO {
    /// A program that takes the elements of a stream as they come, one after the other, and ends in what `next` has
    /// made of them all, beginning with `initial`.
    ///
    /// ```swift
    /// let sum = EnvIO<Sensor, any Error, Int>.fromStream({ $0.readings }, into: 0, next: { sum, reading in
    ///     EnvIO { sensor in sum + sensor.calibrated(reading) }
    /// })
    /// ```
    ///
    /// Each run asks `stream` for one of its own. The next element is asked for when the program for the last has
    /// ended: a slow one holds up the stream, and nothing is buffered here. A failure, of the stream or of a program,
    /// ends the whole; so does cancellation, also where the stream takes it for its end. The stream's iterator is let
    /// go of then. Any number of elements takes constant stack.
    ///
    /// Where the stream has to be waited for, or may not be there, a program that ends in it comes first:
    /// `connect.flatMap { lines in .fromStream({ _ in lines }, into: 0, next: …) }`.
    @inlinable
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        into initial: Value,
        next: @escaping @Sendable (Value, Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Failure, Value: Sendable {
        reading(stream) { $0.fold(from: initial, next) }
    }

    /// The same for a stream that cannot fail, in a program that can.
    @inlinable
    @_disfavoredOverload
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        into initial: Value,
        next: @escaping @Sendable (Value, Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Never, Value: Sendable {
        reading(stream) { $0.fold(from: initial, next) }
    }

    /// A program that ends in a stream's first element, or in `nil` where it has none. The rest is not asked for.
    @inlinable
    public static func first<Stream: AsyncSequence & SendableMetatype>(
        of stream: @escaping @Sendable (Environment) -> Stream
    ) -> EnvIO where Stream.Failure == Failure, Value == Stream.Element? {
        reading(stream) { $0.next() }
    }

    /// The same for a stream that cannot fail, in a program that can.
    @inlinable
    @_disfavoredOverload
    public static func first<Stream: AsyncSequence & SendableMetatype>(
        of stream: @escaping @Sendable (Environment) -> Stream
    ) -> EnvIO where Stream.Failure == Never, Value == Stream.Element? {
        reading(stream) { $0.next() }
    }

    /// The program that `read` makes of a place at the beginning of the stream.
    @inlinable
    static func reading<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        _ read: @escaping @Sendable (StreamReader<Stream>) -> EnvIO
    ) -> EnvIO {
        EnvIO<Environment, Failure, StreamReader<Stream>>.access { StreamReader(stream($0)) }.flatMap(read)
    }
}

extension EnvIO where Value == Void {
    /// A program that runs the one that `body` makes of each element of a stream, one after the other, until the stream
    /// ends. See `fromStream(_:into:next:)`.
    ///
    /// ```swift
    /// let copying = EnvIO<Pipe, any Error, Void>.fromStream({ $0.lines }, forEach: { line in
    ///     EnvIO { pipe in try await pipe.write(line) }
    /// })
    /// ```
    @inlinable
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        forEach body: @escaping @Sendable (Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Failure {
        fromStream(stream, into: (), next: { _, element in body(element) })
    }

    /// The same for a stream that cannot fail, in a program that can.
    @inlinable
    @_disfavoredOverload
    public static func fromStream<Stream: AsyncSequence & SendableMetatype>(
        _ stream: @escaping @Sendable (Environment) -> Stream,
        forEach body: @escaping @Sendable (Stream.Element) -> EnvIO
    ) -> EnvIO where Stream.Failure == Never {
        fromStream(stream, into: (), next: { _, element in body(element) })
    }
}
