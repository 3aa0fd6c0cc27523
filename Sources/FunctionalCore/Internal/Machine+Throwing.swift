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

    /// Whether what fails in such a way may be cancelled instead.
    @inlinable
    static func mayBeCancellation(_ failure: any Error.Type) -> Bool {
        failure == (any Error).self || failure == CancellationError.self
    }
}
