/// A policy for models that arrive faster than a view accepts them.
public enum ViewBuffering: Sendable, Hashable {
    /// Buffers all models: the view is given every model.
    case unbounded
    /// Buffers at most this number of models, and skips the oldest. The latest model is never skipped.
    ///
    /// The number must be at least 1.
    case newest(Int)
}

/// The identity of a view that is connected to a controller; see `MobiusController.connectView(_:buffering:)`.
public struct ViewID: Hashable, Sendable {
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// Returns whether both identify the same connected view.
    public static func == (left: ViewID, right: ViewID) -> Bool {
        left.identity === right.identity
    }

    /// Hashes the identity of the view.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(identity))
    }
}
