/// What has been loaded, in a few words; never the data itself, so that it is small however large the resource is.
public struct ResourceSummary: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int
    /// The media type, such as `text/markdown`: what the server said, else a guess from the name and the first bytes.
    public var type: String
    /// The beginning, where it can be shown.
    public var preview: Preview

    /// A summary of something.
    public init(size: Int, type: String, preview: Preview) {
        self.size = size
        self.type = type
        self.preview = preview
    }

    /// The beginning of a resource, or why it is not shown. Judged by the first 16,384 bytes.
    public enum Preview: Sendable, Hashable {
        /// There are no bytes.
        case empty
        /// The first lines, at most five, each cut to 200 characters. Control characters are replaced, so that no
        /// resource can steer the terminal it is shown on.
        case text(firstLines: [String])
        /// The bytes look like text, but the one at this offset is not UTF-8.
        case invalidUTF8(offset: Int)
        /// The bytes are no text.
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
