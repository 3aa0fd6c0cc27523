/// What becomes of models that come faster than a view takes them.
public enum ViewBuffering: Sendable, Hashable {
    /// The view is given every model, however many wait.
    case unbounded
    /// So many wait at most: for each further one the oldest is skipped. The view always ends with the latest model.
    case newest(Int)
}

/// Which of a controller's views is meant; see `MobiusController.connectView(_:buffering:)`.
public struct ViewID: Hashable, Sendable {
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// Whether both mean the same view.
    public static func == (left: ViewID, right: ViewID) -> Bool {
        left.identity === right.identity
    }

    /// Hashes which view is meant.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(identity))
    }
}
