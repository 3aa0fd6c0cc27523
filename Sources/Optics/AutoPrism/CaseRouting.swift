/// The cases of an enum that a prism may match. With this information, many prisms need not be tried one after another.
///
/// The tag of a value, which identifies its case, decides whether such a prism can match. If the prism looks further
/// into the payload (`appending`), it may still reject a value whose tag it accepts.
///
/// `LearnedRoutes` asks each prism at the first value with a tag, and stores the results.
@usableFromInline
package struct CaseRouting<Whole>: Sendable {
    /// The number of tags of the enum. The tag of every value is less than this number.
    @usableFromInline package let tagCount: Int
    @usableFromInline let enumTag: EnumTag
    @usableFromInline let accept: @Sendable (Whole, Int) -> Bool
    /// Whether the prism matches every value whose tag it accepts.
    ///
    /// It is `false` for a prism that looks further into the payload.
    @usableFromInline package private(set) var isExact = true

    @usableFromInline
    init<Part>(_ reader: CaseReader<Whole, Part>) {
        tagCount = max(1, reader.layout.cases.count)
        enumTag = reader.tag
        accept = { reader.accepts($0, $1) }
    }

    /// Returns the routing of this prism composed with another prism, which may reject values that this prism matches.
    @usableFromInline
    func appended() -> CaseRouting {
        var routing = self
        routing.isExact = false
        return routing
    }

    /// Returns the tag of `whole`, in `0..<tagCount`.
    ///
    /// It neither copies nor retains `whole`.
    ///
    /// - Complexity: O(1).
    @inlinable
    @inline(__always)
    package func tag(of whole: Whole) -> Int {
        enumTag(of: whole)
    }

    /// Returns whether the prism may match values with the tag of `whole`.
    ///
    /// The result depends on the tag alone and never changes, so it can be cached. The prism may have to learn its case
    /// from `whole`, by calling its constructor.
    ///
    /// - Parameters:
    ///   - whole: A value with the tag `tag`.
    ///   - tag: The tag of `whole`.
    /// - Returns: `false` if the prism matches no value with this tag.
    @inlinable
    package func accepts(_ whole: Whole, tag: Int) -> Bool {
        accept(whole, tag)
    }
}
