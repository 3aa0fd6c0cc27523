extension Mobius {
    /// A value that can be copied with changes, in one expression.
    ///
    /// ```swift
    /// struct Model: Mobius.Copyable { var name = "", isLoading = false }
    ///
    /// return .next(model.copy { $0.isLoading = true }, effects: [.load])
    /// ```
    ///
    /// Inside of `Mobius`, since the standard library's `Copyable` is another thing.
    public protocol Copyable {}
}

extension Mobius.Copyable {
    /// This value, changed by `change`.
    @inlinable
    public func copy<Failure: Error>(with change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
