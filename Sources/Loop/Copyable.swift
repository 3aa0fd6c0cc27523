extension Mobius {
    /// A value that can be copied with changes, in one expression.
    ///
    /// ```swift
    /// struct Model: Mobius.Copyable { var name = "", isLoading = false }
    ///
    /// return .next(model.copy { $0.isLoading = true }, effects: [.load])
    /// ```
    ///
    /// The protocol is nested in `Mobius`, since the standard library has another protocol named `Copyable`.
    public protocol Copyable {}
}

extension Mobius.Copyable {
    /// Returns a copy of this value that `change` has changed.
    ///
    /// - Throws: The error that `change` throws.
    @inlinable
    public func copy<Failure: Error>(with change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
