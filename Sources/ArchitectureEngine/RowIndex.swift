public import FunctionalCore

/// The places of the rows of one list. All scopes of the list share it.
///
/// Mostly a row is where it was when the list was read, so that place is tried first. The first row that has moved makes
/// a table of all places. So after the first of n rows was removed, all rows are found in O(n) together.
@usableFromInline
package final class RowIndex<Rows: RandomAccessCollection & Sendable>: Sendable
where Rows.Element: Identifiable & Sendable, Rows.Element.ID: Sendable {
    /// The ids, and the place of each. The table does not retain the rows, because the next change would have to copy
    /// them.
    ///
    /// `changeCount` was read before the ids. So while the count is the same, a row that is not in the table is gone.
    @usableFromInline typealias Table = (changeCount: Int, ids: [Rows.Element.ID], places: [Rows.Element.ID: Int])

    // Ids are hashed and compared, and tables are released, outside of the lock. If threads need a table at the same
    // time, each may make one.
    @usableFromInline let table = Locked<Table?>(nil)
    @usableFromInline let read: @Sendable () -> Rows
    @usableFromInline let changeCount: @Sendable () -> Int

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - read: Returns the current rows.
    ///   - changeCount: Returns the number of changes of the state that contains the rows.
    @inlinable
    package init(read: @escaping @Sendable () -> Rows, changeCount: @escaping @Sendable () -> Int) {
        self.read = read
        self.changeCount = changeCount
    }

    /// Returns the row with an id, or `nil` if it is gone.
    ///
    /// - Complexity: O(1) if the row is at `place`, or where the table says. Otherwise O(n) for the first row that is
    ///   looked up after a change, and O(1) for the others.
    @inlinable
    package func row(_ id: Rows.Element.ID, near place: Int, in rows: Rows) -> Rows.Element? {
        Self.row(id, at: place, in: rows) ?? row(id, in: rows)
    }

    @inlinable
    @inline(never)
    func row(_ id: Rows.Element.ID, in rows: Rows) -> Rows.Element? {
        let known = table.withLock { $0 }
        let knownPlace = known?.places[id]
        if let knownPlace, let row = Self.row(id, at: knownPlace, in: rows) { return row }
        let changeCount = changeCount()
        if let known, known.changeCount == changeCount, knownPlace == nil { return nil }
        // `rows` may be older than the count.
        let rows = read()
        // A row that is gone comes here after each change. If rows have only changed, their places are the same.
        let ids = rows.map(\.id)
        var places = known?.places ?? [:]
        if known?.ids != ids { places = Dictionary(zip(ids, 0..<ids.count)) { first, _ in first } }
        var new: Table? = (changeCount, ids, places)
        table.withLock { swap(&$0, &new) }
        return places[id].flatMap { Self.row(id, at: $0, in: rows) }
    }

    @inlinable
    static func row(_ id: Rows.Element.ID, at place: Int, in rows: Rows) -> Rows.Element? {
        guard place < rows.count else { return nil }
        let row = rows[rows.index(rows.startIndex, offsetBy: place)]
        return row.id == id ? row : nil
    }
}
