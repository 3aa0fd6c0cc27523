import Foundation

/// The thread that asks, to tell it from others. It is held on to: of a thread that has ended, the next may have the
/// address. Unchecked, as nothing is done with it but to compare.
public struct ThreadMark: Equatable, @unchecked Sendable {
    private let thread: Thread

    public static var current: Self { Self(thread: .current) }

    public static func == (one: Self, other: Self) -> Bool { one.thread === other.thread }
}
