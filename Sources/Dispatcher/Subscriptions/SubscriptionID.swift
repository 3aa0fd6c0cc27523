/// What a subscription is known by: its own id, within the ids of the children that it was widened out of.
public struct SubscriptionID: Hashable, Sendable {
    private let path: [AnyKey]

    private init(path: [AnyKey]) {
        self.path = path
    }

    /// The id of a subscription that was made with the last of `path`, and widened by the others, the outermost first.
    ///
    /// ```swift
    /// SubscriptionID("left", "tick")  // .every(.seconds(1), id: "tick") { … }.widen(id: "left") { … }
    /// ```
    public init(_ path: any Hashable & Sendable...) {
        self.init(path: path.map { AnyKey($0) })
    }

    /// The same within another.
    func within(_ id: some Hashable & Sendable) -> SubscriptionID {
        SubscriptionID(path: [AnyKey(id)] + path)
    }
}

extension SubscriptionID: CustomStringConvertible {
    /// The ids from the outermost on.
    public var description: String {
        path.map { "\($0.value)" }.joined(separator: ", ")
    }
}
