/// The cases of an enum that a prism may match, so that a router need not try many prisms in turn.
///
/// The tag of a value, which identifies its case, decides whether such a prism can match. If the prism looks further
/// into the payload (`appending`), it may still reject a value whose tag it accepts.
///
/// A router over 300 prisms therefore asks each prism once for each tag, at the first value with that tag. It stores
/// the results in an array:
///
/// ```swift
/// let tag = routing.tag(of: input)              // of any of the prisms: the tag belongs to the enum
/// if table[tag] == nil {
///     table[tag] = routes.indices.filter { routes[$0].routing?.accepts(input, tag: tag) ?? true }
/// }
/// for index in table[tag]! { … }                // prisms without routing are always tried
/// ```
///
/// While a router is filled, append its routes to one array in place. Copying the array for each route is quadratic.
@usableFromInline
package struct CaseRouting<Whole>: Sendable {
    /// The number of tags of the enum. The tag of every value is less than this number.
    @usableFromInline package let tagCount: Int
    @usableFromInline let tag: EnumTag
    @usableFromInline let accept: @Sendable (Whole, Int) -> Bool
    /// Whether the prism matches every value whose tag it accepts.
    ///
    /// It is `false` for a prism that looks further into the payload.
    @usableFromInline package private(set) var isExact = true

    @usableFromInline
    init<Part>(_ reader: CaseReader<Whole, Part>) {
        tagCount = max(1, reader.layout.cases.count)
        tag = reader.tag
        accept = { reader.accepts($0, $1) }
    }

    /// Returns the routing of this prism composed with another one, which may reject values that this prism matches.
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
    package func tag(of whole: Whole) -> Int {
        withUnsafePointer(to: whole) { self.tag(at: $0) }
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
