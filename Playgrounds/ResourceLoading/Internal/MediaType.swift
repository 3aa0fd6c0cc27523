/// Guesses media types.
enum MediaType {
    /// Returns the type by the signature of the first bytes, else by the file extension, else by whether the bytes are
    /// text.
    static func guess(name: String, beginning: [UInt8], preview: ResourceSummary.Preview) -> String {
        if let type = signature(of: beginning) { return type }
        if let dot = name.lastIndex(of: "."), let type = types[name[name.index(after: dot)...].lowercased()] {
            return type
        }
        return switch preview {
        case .text, .empty: "text/plain"
        case .invalidUTF8, .binary: "application/octet-stream"
        }
    }

    /// Returns the type whose signature the first bytes have.
    static func signature(of beginning: [UInt8]) -> String? {
        signatures.first { beginning.starts(with: $0.bytes) }?.type
    }

    /// Returns the essence of a Content-Type, without parameters, or `nil` if it has no valid one.
    static func essence(of contentType: String?) -> String? {
        let essence = contentType?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        // Other characters could control the terminal that shows the type.
        guard let essence, essence.contains("/"), essence.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return essence
    }

    private static let signatures: [(bytes: [UInt8], type: String)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        ([0xFF, 0xD8, 0xFF], "image/jpeg"),
        (Array("GIF87a".utf8), "image/gif"),
        (Array("GIF89a".utf8), "image/gif"),
        (Array("%PDF-".utf8), "application/pdf"),
        ([0x50, 0x4B, 0x03, 0x04], "application/zip"),
        ([0x1F, 0x8B, 0x08], "application/gzip"),
        ([0x7F, 0x45, 0x4C, 0x46], "application/x-executable"),
    ]

    private static let types = [
        "c": "text/x-c", "css": "text/css", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip",
        "h": "text/x-c", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "markdown": "text/markdown", "md": "text/markdown",
        "pdf": "application/pdf", "png": "image/png", "py": "text/x-python", "svg": "image/svg+xml",
        "swift": "text/x-swift", "txt": "text/plain", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "zip": "application/zip",
    ]
}
