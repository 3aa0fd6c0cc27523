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
