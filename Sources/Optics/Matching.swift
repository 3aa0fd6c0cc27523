/// What ``Prism/getOrModify(_:)`` and ``Affine/getOrModify(_:)`` answer: the part, or the whole in which there is none.
@frozen
public enum Matching<Whole, Part> {
    /// The optic matched, and this is the part.
    case matched(Part)
    /// The optic did not match this whole.
    case unmatched(Whole)
}

extension Matching: Sendable where Whole: Sendable, Part: Sendable {}
extension Matching: Equatable where Whole: Equatable, Part: Equatable {}
