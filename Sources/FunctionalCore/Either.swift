/// One of two: what ``EnvIO/raceResult(_:)`` ends in, so that it is known who won.
@frozen
public enum Either<Left, Right> {
    /// The first of the two.
    case left(Left)
    /// The second.
    case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
