/// The id of a subscription: the ids that it was widened with, and its own id.
public struct SubscriptionID: Hashable, Sendable {
    private let path: [AnyKey]

    private init(path: [AnyKey]) {
        self.path = path
    }

    /// Creates the id of a subscription from the ids that it consists of, the outermost first.
    ///
    /// The last id is the one that the subscription was created with. The others are those that it was widened with.
    ///
    /// ```swift
    /// SubscriptionID("left", "tick")  // .every(.seconds(1), id: "tick") { … }.widen(id: "left") { … }
    /// ```
    public init(_ path: any Hashable & Sendable...) {
        self.init(path: path.map { AnyKey($0) })
    }

    /// Returns this id within the child that has `id`.
    func within(_ id: some Hashable & Sendable) -> SubscriptionID {
        SubscriptionID(path: [AnyKey(id)] + path)
    }
}

extension SubscriptionID: CustomStringConvertible {
    /// The ids that the subscription was widened with, the outermost first, and its own id, separated by commas.
    public var description: String {
        path.map { "\($0.value)" }.joined(separator: ", ")
    }
}
