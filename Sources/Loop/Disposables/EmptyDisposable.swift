/// A disposable without resources, for handlers that have ended when they return.
public struct EmptyDisposable: Disposable {
    /// Creates a disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
