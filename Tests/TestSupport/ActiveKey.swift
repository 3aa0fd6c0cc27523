/// A key that runs code while it is hashed, compared and released.
///
/// Keys are equal if they have the same id. Ids from 0 to 9 have the same hash value, and so have those from 10 to 19.
public final class ActiveKey: Hashable, Sendable {
    public enum Use: Sendable, CaseIterable {
        case hash, compare, release
    }

    public let id: Int
    private let onUse: @Sendable (Use) -> Void

    public init(_ id: Int, onUse: @escaping @Sendable (Use) -> Void = { _ in }) {
        self.id = id
        self.onUse = onUse
    }

    /// Creates a key that calls `body` in the first such use.
    public convenience init(_ id: Int, onFirst use: Use, _ body: @escaping @Sendable () -> Void) {
        let isUsed = Guarded(false)
        self.init(id) { current in
            if current != use { return }
            let isFirst = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
            if isFirst { body() }
        }
    }

    deinit { onUse(.release) }

    public static func == (left: ActiveKey, right: ActiveKey) -> Bool {
        left.onUse(.compare)
        right.onUse(.compare)
        return left.id == right.id
    }

    public func hash(into hasher: inout Hasher) {
        onUse(.hash)
        hasher.combine(id / 10)
    }
}
