// A closure that looks by itself whether its task is cancelled says so by throwing, waiting or not. In a run that is
// cancelled, a `CancellationError` is therefore no failure.

extension Machine {
    /// Whether a closure that threw `error` has found that the run is cancelled.
    @inlinable
    func isCancellation(_ error: some Error) -> Bool {
        isCancelled && error is CancellationError
    }

    /// How a closure of the program has ended that threw `error`.
    @inlinable
    func end(throwing error: some Error) -> Signal {
        if isCancellation(error) { return .cancelled }
        put(error)
        return .failure
    }

    /// How a closure has ended that makes another end of a failure.
    @inlinable
    @inline(__always)
    func end<Value, Failure>(of handler: () throws(Failure) -> Value) -> Signal {
        do throws(Failure) {
            put(try handler())
            return .value
        } catch {
            put(error)
            return .failure
        }
    }

    /// Whether what fails in such a way may be cancelled instead. What catches it must then ask the machine.
    @inlinable
    static func mayBeCancellation(_ failure: any Error.Type) -> Bool {
        failure == (any Error).self || failure == CancellationError.self
    }
}
