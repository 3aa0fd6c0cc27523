/// The state of a `CaseReader`, in one word: the tag, whether the payload is in a box, and whether it can be read in
/// place.
///
/// If there is only one candidate, its tag is known before the case has been learned. Values of other cases then do not
/// match, without further work. The first value of the candidate is still used to check the constructor.
@usableFromInline
struct CaseWord {
    @usableFromInline static let unknown = -1
    /// The tag of no value, for a payload type that has no values.
    @usableFromInline static let never = Int(Int32.max) << 3

    @usableFromInline let bits: Int

    @usableFromInline
    init(_ tag: Int, isInPlace: Bool, isIndirect: Bool) {
        bits = tag << 3 | (isIndirect ? 2 : 0) | (isInPlace ? 1 : 0)
    }

    /// Returns the word of a case that has not been learned.
    static func initial(_ candidates: [Int]) -> Int {
        switch candidates.count {
        case 0: never
        case 1: candidates[0] << 3 | 4
        default: unknown
        }
    }

    /// Returns the word of a case whose payload is read in place.
    @inlinable
    static func inPlace(_ tag: Int) -> Int {
        tag &<< 3 | 1
    }

    /// Returns the tag in `word`, or -1, which is the tag of no value, if the tag is unknown.
    @inlinable
    static func tag(_ word: Int) -> Int {
        word &>> 3
    }

    @inlinable
    static func isKnown(_ word: Int) -> Bool {
        word >= 0
    }

    @inlinable
    static func isLearned(_ word: Int) -> Bool {
        word >= 0 && word & 4 == 0
    }

    @inlinable
    static func isIndirect(_ word: Int) -> Bool {
        word & 2 != 0
    }
}
