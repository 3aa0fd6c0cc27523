/// A value of one of two types, such as the result of ``EnvIO/raceResult(_:)``.
@frozen
public enum Either<Left, Right> {
    /// A value of the first type. In a race, the value of the program that ``EnvIO/raceResult(_:)`` was called on.
    case left(Left)
    /// A value of the second type. In a race, the value of the program that was passed to ``EnvIO/raceResult(_:)``.
    case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
