/// What a `CaseReader` knows, in one word: the tag, and whether the payload is in a box, or can be read where it lies.
///
/// The tag is known before anything was learned if only one case can be meant. Then only a value of that case needs a
/// closer look, to see that the constructor keeps what it promises; all others are misses at once.
@usableFromInline
struct CaseWord {
    @usableFromInline static let unknown = -1
    /// A tag no value has: for a payload that has no values.
    @usableFromInline static let never = Int(Int32.max) << 3

    @usableFromInline let bits: Int

    @usableFromInline
    init(_ tag: Int, isInPlace: Bool, isIndirect: Bool) {
        bits = tag << 3 | (isIndirect ? 2 : 0) | (isInPlace ? 1 : 0)
    }

    /// What is known of a case among `candidates` before it was learned.
    static func initial(_ candidates: [Int]) -> Int {
        switch candidates.count {
        case 0: never
        case 1: candidates[0] << 3 | 4
        default: unknown
        }
    }

    /// The word of a case whose payload is read where it lies.
    @inlinable
    static func inPlace(_ tag: Int) -> Int {
        tag &<< 3 | 1
    }

    /// The tag in `word`; -1 when unknown, which is no tag.
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
