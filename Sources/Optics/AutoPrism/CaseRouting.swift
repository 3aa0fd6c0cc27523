/// What a prism over an enum tells about the values it matches, so that many prisms need not be tried in turn.
///
/// Whether such a prism matches is decided by which case a value is of, its tag; for one that looks further inside
/// (`appending`), a tag it does not accept rules a match out. So a router over 300 prisms asks each of them once for
/// every tag, at the first value with that tag, and keeps the answers in an array:
///
/// ```swift
/// let tag = routing.tag(of: input)              // of any of the prisms: the tag belongs to the enum
/// if table[tag] == nil {
///     table[tag] = routes.indices.filter { routes[$0].routing?.accepts(input, tag: tag) ?? true }
/// }
/// for index in table[tag]! { … }                // those without routing are always tried
/// ```
///
/// A router that is filled should append its routes to one array; copying the array for each route is quadratic.
@usableFromInline
package struct CaseRouting<Whole>: Sendable {
    /// How many tags there are: every tag of a value is less.
    @usableFromInline package let tagCount: Int
    @usableFromInline let tag: EnumTag
    @usableFromInline let accept: @Sendable (Whole, Int) -> Bool
    /// Whether the prism matches every value whose tag it accepts. `false` for a prism that looks further inside.
    @usableFromInline package private(set) var isExact = true

    @usableFromInline
    init<Part>(_ reader: CaseReader<Whole, Part>) {
        tagCount = max(1, reader.layout.cases.count)
        tag = reader.tag
        accept = { reader.accepts($0, $1) }
    }

    /// The routing of this prism after another has been appended, which may reject values that this one matches.
    @usableFromInline
    func appended() -> CaseRouting {
        var routing = self
        routing.isExact = false
        return routing
    }

    /// The tag of `whole`, in `0..<tagCount`. It is only looked at: not copied, not retained. About 2 ns.
    @inlinable
    package func tag(of whole: Whole) -> Int {
        withUnsafePointer(to: whole) { self.tag(at: $0) }
    }

    /// Whether the prism may match values with the tag of `whole`, which must be `tag`.
    ///
    /// The answer depends on the tag alone and stays the same, so it may be kept. `whole` is needed since the prism may
    /// have to learn its case from it, by calling its constructor.
    @inlinable
    package func accepts(_ whole: Whole, tag: Int) -> Bool {
        accept(whole, tag)
    }
}
