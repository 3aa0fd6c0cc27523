import Foundation

/// The identity of a thread, which stays distinct after the thread has ended.
///
/// Uses a token in the thread's dictionary instead of the thread itself. A thread retains its closure, which may retain
/// the mark.
public struct ThreadMark: Equatable, Sendable {
    private let token: Token

    private final class Token: Sendable {}

    private static let key = "ThreadMark"

    public static var current: Self {
        let dictionary = Thread.current.threadDictionary
        if let token = dictionary[key] as? Token { return Self(token: token) }
        let token = Token()
        dictionary[key] = token
        return Self(token: token)
    }

    public static func == (one: Self, other: Self) -> Bool { one.token === other.token }
}
