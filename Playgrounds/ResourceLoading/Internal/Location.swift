import Foundation

/// What a person typed, understood: a file or a URL.
enum Location: Hashable {
    case file(path: String)
    case http(URL)

    /// Text with `://` in it, or that begins with one of the schemes we know, is a URL; anything else is a path.
    init(_ text: String) throws(LoadError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .malformedLocation(text) }
        guard let scheme = Self.scheme(of: text) else {
            self = .file(path: text)
            return
        }
        guard ["http", "https", "file"].contains(scheme) else { throw .unsupportedScheme(scheme) }
        // In small letters: FoundationNetworking knows no others.
        guard let url = URL(string: scheme + text.dropFirst(scheme.count)) else { throw .malformedLocation(text) }
        if scheme == "file" {
            let path = url.path(percentEncoded: false)
            guard ["", "localhost"].contains(url.host() ?? ""), path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw .malformedLocation(text)
            }
            self = .file(path: path)
        } else {
            guard let host = url.host(), !host.isEmpty, (0...65_535).contains(url.port ?? 0) else {
                throw .malformedLocation(text)
            }
            self = .http(url)
        }
    }

    /// The last part of the path, from which a type can be guessed.
    var name: String {
        switch self {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .http(let url): url.lastPathComponent
        }
    }

    private static func scheme(of text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }
        guard scheme.endIndex != text.endIndex,
            let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        let name = scheme.lowercased()
        let isKnown = ["http", "https", "file"].contains(name)
        return isKnown || text[scheme.endIndex...].hasPrefix("://") ? name : nil
    }
}
