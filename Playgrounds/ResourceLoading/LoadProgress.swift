/// How far a load has come.
public struct LoadProgress: Sendable, Hashable {
    /// The bytes that have arrived.
    public var bytes: Int
    /// How many there will be, when the other side has said so.
    public var total: Int?

    /// A progress; the total is unknown unless it is given.
    public init(bytes: Int, total: Int? = nil) {
        self.bytes = bytes
        self.total = total
    }
}
