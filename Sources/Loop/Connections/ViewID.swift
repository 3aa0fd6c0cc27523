import Synchronization

/// The identity of a view that is connected to a controller; see `MobiusController.connectView(_:buffering:)`.
public struct ViewID: Hashable, Sendable {
    private static let count = Atomic<Int>(0)

    private let number = Self.count.add(1, ordering: .relaxed).newValue
}
