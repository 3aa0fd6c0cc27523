/// The scopes of the rows of a collection, with the indices of an array.
///
/// `scopes` of a component, a store or a scope returns it. A scope is made each time an element is accessed.
public struct RowScopes<Element>: RandomAccessCollection {
    @usableFromInline let make: (Int) -> Element
    /// The number of rows.
    public let endIndex: Int

    @inlinable
    package init(count: Int, _ make: @escaping (Int) -> Element) {
        endIndex = count
        self.make = make
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// Makes the scope of a row. Traps if there is no row at `position`.
    @inlinable
    public subscript(position: Int) -> Element { make(position) }
}
