import Foundation

/// A location that was parsed from text: a file or a URL.
enum Location: Hashable {
    case file(path: String)
    case http(URL)

    /// Creates a location from text. Text that contains `://` or begins with a known scheme is a URL; other text is a
    /// path.
    init(_ text: String) throws(LoadError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .malformedLocation(text) }
        guard let scheme = Self.scheme(of: text) else {
            self = .file(path: text)
            return
        }
        guard ["http", "https", "file"].contains(scheme) else { throw .unsupportedScheme(scheme) }
        // In lowercase, because FoundationNetworking does not recognize other spellings.
        let rest = text.dropFirst(scheme.count)
        guard let url = URL(string: scheme + Self.withEncodedPath(rest)) else { throw .malformedLocation(text) }
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

    /// Returns the rest of a URL after its scheme, with invalid characters of the path and the query escaped.
    ///
    /// `URL` escapes them, too, but then also escapes the percent signs of existing escapes.
    private static func withEncodedPath(_ rest: Substring) -> String {
        let authority = rest.hasPrefix("://") ? rest.prefix(3) + rest.dropFirst(3).prefix { !"/?#".contains($0) } : ":"
        let path = Array(rest.utf8.dropFirst(authority.utf8.count))
        var encoded = String(authority)
        for (index, byte) in path.enumerated() {
            let isEscape = path[index...].prefix(3).dropFirst().count { isHexDigit($0) } == 2
            if byte == UInt8(ascii: "%") ? isEscape : allowed.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#".utf8)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
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
