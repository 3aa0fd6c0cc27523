/// What has become of an effect that a handler was given.
public enum Handling: Sendable, Hashable {
    /// The callback has not ended.
    case underWay
    /// The callback has ended: by the handler, or because nobody holds it any more.
    case ended
    /// The callback had not ended when the loop was disposed; the handler's disposable was.
    case disposed
}
