/// What a store does with an effect whose stream fails.
///
/// The failure is reported to ``Store/onError(_:)`` in any case. All work of the effect is cancelled.
public enum FailurePolicy: Sendable, Hashable {
    /// The effect ends.
    case stop
    /// The effect restarts at once, at most the given number of times. After one more failure it ends.
    ///
    /// The effect then receives only later actions: the action at which the stream failed is not delivered again. The
    /// restarts are counted for as long as the effect is registered, and success does not reset the count. Creating an
    /// effect traps if the number is negative.
    case restart(atMost: Int)
}
