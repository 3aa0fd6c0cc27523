/// The progress of a load.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes that have arrived.
    public var bytes: Int
    /// The total number of bytes, if the sender has stated it.
    public var total: Int?

    /// Creates a progress.
    public init(bytes: Int, total: Int? = nil) {
        self.bytes = bytes
        self.total = total
    }
}
