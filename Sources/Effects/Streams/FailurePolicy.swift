/// What a store does with an effect whose stream fails.
///
/// The failure is reported to ``Store/onError(_:)`` in any case.
public enum FailurePolicy: Sendable, Hashable {
    /// The effect ends.
    case stop
    /// The effect restarts at once, at most the given number of times. After one more failure it ends.
    case restart(atMost: Int)
}
