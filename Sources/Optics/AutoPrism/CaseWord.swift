/// What a `CaseReader` has learned, in one word: the tag, and whether the payload is in a box, or can be read where it
/// lies.
@usableFromInline
struct CaseWord {
    @usableFromInline static let unlearned = -1
    /// A tag no value has: for a payload that has no values.
    @usableFromInline static let never = Int(Int32.max) << 2

    @usableFromInline let bits: Int

    @usableFromInline
    init(_ tag: Int, isInPlace: Bool, isIndirect: Bool) {
        bits = tag << 2 | (isIndirect ? 2 : 0) | (isInPlace ? 1 : 0)
    }

    /// The word of a case whose payload is read where it lies.
    @inlinable
    static func inPlace(_ tag: Int) -> Int {
        tag &<< 2 | 1
    }

    /// The tag in `word`; -1 when unlearned, which is no tag.
    @inlinable
    static func tag(_ word: Int) -> Int {
        word &>> 2
    }

    @inlinable
    static func isLearned(_ word: Int) -> Bool {
        word >= 0
    }

    @inlinable
    static func isIndirect(_ word: Int) -> Bool {
        word & 2 != 0
    }
}
