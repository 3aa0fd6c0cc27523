/// The progress of an effect that was passed to a handler.
public enum Handling: Sendable, Hashable {
    /// The handler has not ended the callback.
    case underWay
    /// The handler has ended the callback.
    case ended
    /// The connection was disposed before the handler ended the callback. The handler's disposable has been disposed.
    case disposed
}
