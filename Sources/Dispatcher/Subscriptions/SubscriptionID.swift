import FunctionalCore

/// An id that identifies a subscription in a component.
///
/// It consists of the id that the subscription was created with, and of the ids that it was widened with.
public struct SubscriptionID: Hashable, Sendable {
    private let path: [AnyKey]

    private init(path: [AnyKey]) {
        self.path = path
    }

    /// Creates the id of a subscription from the ids that it consists of, the outermost first.
    ///
    /// The last id is the id that the subscription was created with. The other ids are those that it was widened with.
    ///
    /// ```swift
    /// SubscriptionID("left", "tick")  // .every(.seconds(1), id: "tick") { … }.widen(id: "left") { … }
    /// ```
    public init(_ path: any Hashable & Sendable...) {
        self.init(path: path.map { AnyKey($0) })
    }

    /// Returns this id with `id`, the id of a child, as the new outermost id.
    func within(_ id: some Hashable & Sendable) -> SubscriptionID {
        SubscriptionID(path: [AnyKey(id)] + path)
    }
}

extension SubscriptionID: CustomStringConvertible {
    /// The ids that this id consists of, separated by commas. The ids that the subscription was widened with come
    /// first, beginning with the outermost. The id that the subscription was created with comes last.
    public var description: String {
        path.map { "\($0.value)" }.joined(separator: ", ")
    }
}
