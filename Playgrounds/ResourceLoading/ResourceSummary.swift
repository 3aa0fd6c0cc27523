/// A summary of a loaded resource. It does not contain the data, so its size does not depend on the resource.
public struct ResourceSummary: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int
    /// The media type, such as `text/markdown`, as the server stated it or as guessed from the name and the first
    /// bytes.
    public var type: String
    /// The beginning, if it can be shown.
    public var preview: Preview

    /// Creates a summary.
    public init(size: Int, type: String, preview: Preview) {
        self.size = size
        self.type = type
        self.preview = preview
    }

    /// The beginning of a resource, or the reason why it is not shown. Determined from the first 16,384 bytes.
    public enum Preview: Sendable, Hashable {
        /// There are no bytes.
        case empty
        /// The first lines, at most five, each cut to 200 characters. Control characters are replaced, so that no
        /// resource can control the terminal that shows it.
        case text(firstLines: [String])
        /// The bytes look like text, but the byte at this offset is not valid UTF-8.
        case invalidUTF8(offset: Int)
        /// The bytes are not text.
        case binary
    }
}

extension ResourceSummary.Preview: CustomStringConvertible {
    /// The lines, or one sentence.
    public var description: String {
        switch self {
        case .empty: "It is empty."
        case .text(let firstLines): firstLines.joined(separator: "\n")
        case .invalidUTF8(let offset): "Its text is not shown: the byte at offset \(offset) is not valid UTF-8."
        case .binary: "Its data is binary and not shown."
        }
    }
}
