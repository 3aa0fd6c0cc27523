import Foundation

/// The calling thread, to tell it from others, also after it has ended.
///
/// A token that lies with the thread, and not the thread itself: that holds what it runs, which may hold the mark.
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
