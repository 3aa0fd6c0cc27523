/// What becomes of an effect whose stream fails. It is reported in any case.
public enum FailurePolicy: Sendable, Hashable {
    /// It ends.
    case stop
    /// It begins anew, so many times at most; then it ends.
    case restart(atMost: Int)
}
