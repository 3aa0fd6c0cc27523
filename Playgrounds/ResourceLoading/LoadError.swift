import Foundation
import TerminalSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reason why a load failed. Its description is one sentence for a person.
public enum LoadError: Error, Sendable, Hashable {
    /// The text is neither a path nor a complete URL.
    case malformedLocation(String)
    /// The scheme of the URL is none of `http`, `https` and `file`.
    case unsupportedScheme(String)
    case noSuchFile(path: String)
    case isDirectory(path: String)
    case notPermitted(path: String)
    /// The file could not be opened or read for another reason, which the system reported.
    case unreadable(path: String, reason: String)
    case unknownHost(String)
    case connectionRefused(host: String)
    /// The server answered with a status that is not 2xx.
    case status(Int, location: String)
    /// The server closed the connection before or during its answer.
    case connectionLost(host: String, bytesSoFar: Int, total: Int?)
    /// The server did not begin to answer in this time.
    case notAnswered(host: String, within: Duration)
    /// The server stopped sending for too long.
    case timedOut(host: String, bytesSoFar: Int)
    /// The answer of the server violates the HTTP protocol.
    case malformedAnswer(host: String, bytesSoFar: Int)
    /// The server redirected to a URL that is neither an http nor an https URL.
    case refusedRedirect(to: String, host: String)
    /// The resource does not state its size and is larger than this many bytes.
    case tooLarge(location: String, limit: Int)
    /// The transfer failed for another reason, which the system reported.
    case transferFailed(location: String, reason: String)
    /// The load was cancelled.
    case cancelled(bytesSoFar: Int)
}

extension LoadError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .malformedLocation(""):
            "The location is empty. Pass a path or a URL."
        case .malformedLocation(let location):
            "\(location) is not a URL that can be loaded."
        case .unsupportedScheme(let scheme):
            "URLs that begin with \(scheme): cannot be loaded. Pass a path, or an http:, https: or file: URL."
        case .noSuchFile(let path):
            "There is no file \(path)."
        case .isDirectory(let path):
            "\(path) is a directory, not a file."
        case .notPermitted(let path):
            "There is no permission to read \(path)."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .unknownHost(let host):
            "There is no host named \(host)."
        case .connectionRefused(let host):
            "The host \(host) refused the connection, or cannot be reached."
        case .status(let status, let location):
            "The server answered with status \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status))) "
                + "for \(location)."
        case .connectionLost(let host, 0, nil):
            "The host \(host) closed the connection without sending anything."
        case .connectionLost(let host, let bytes, let total?):
            "The connection to \(host) was lost after \(ProgressBar.amount(bytes)) of \(ProgressBar.amount(total))."
        case .connectionLost(let host, let bytes, nil):
            "The connection to \(host) was lost after \(ProgressBar.amount(bytes))."
        case .notAnswered(let host, let time):
            "The host \(host) did not answer within \(time)."
        case .malformedAnswer(let host, let bytes):
            "The answer of the host \(host) is malformed after \(ProgressBar.amount(bytes))."
        case .refusedRedirect(let target, let host):
            "The host \(host) redirects to \(target), which is neither an http: nor an https: URL."
        case .tooLarge(let location, let limit):
            "\(location) does not state its size, and is larger than the limit of \(ProgressBar.amount(limit))."
        case .timedOut(let host, let bytes):
            "The host \(host) stopped sending after \(ProgressBar.amount(bytes))."
        case .transferFailed(let location, let reason):
            "\(location) cannot be loaded: \(reason)."
        case .cancelled(let bytes):
            "The load was cancelled after \(ProgressBar.amount(bytes))."
        }
    }

    public var errorDescription: String? { description }
}
