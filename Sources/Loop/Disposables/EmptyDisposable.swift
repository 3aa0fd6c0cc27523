/// A disposable that holds nothing. For handlers that are done when they return.
public struct EmptyDisposable: Disposable {
    /// A disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
