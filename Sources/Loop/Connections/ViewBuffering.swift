/// A policy for models that arrive faster than a view accepts them.
public enum ViewBuffering: Sendable, Hashable {
    /// Buffers all models: the view is given every model.
    case unbounded
    /// Buffers at most this number of models, and skips the oldest. The latest model is never skipped.
    ///
    /// The number must be at least 1.
    case newest(Int)
}
