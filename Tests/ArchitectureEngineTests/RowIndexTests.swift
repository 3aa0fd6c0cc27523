import ArchitectureEngine
import TestSupport
import Testing

@Suite("Row index", .timeLimit(.minutes(10)))
struct RowIndexTests {
    /// An id that counts how often one is hashed and compared.
    private struct ID: Hashable, Sendable {
        static let hashes = Guarded(0)
        static let comparisons = Guarded(0)
        let number: Int

        func hash(into hasher: inout Hasher) {
            Self.hashes.increment()
            hasher.combine(number)
        }

        static func == (left: ID, right: ID) -> Bool {
            comparisons.increment()
            return left.number == right.number
        }
    }

    private struct Row: Identifiable, Sendable {
        let id: ID
        var text = ""

        init(_ number: Int) { id = ID(number: number) }
    }

    /// The current rows, and the number of their changes.
    private final class Current<Rows: Sendable>: Sendable {
        private let fields: Guarded<(rows: Rows, count: Int)>

        init(_ rows: Rows) { fields = Guarded((rows, 0)) }

        func change(to rows: Rows) { fields.value = (rows, fields.value.count + 1) }
        @Sendable func read() -> Rows { fields.value.rows }
        @Sendable func changeCount() -> Int { fields.value.count }
    }

    @Test("Rows that are where they were are found without a table, and rows that are gone share one table")
    func tables() {
        let count = 10_000
        var rows = (0..<count).map(Row.init)
        let current = Current(rows)
        let index = RowIndex(read: current.read, changeCount: current.changeCount)
        func found(in rows: [Row]) -> (count: Int, hashes: Int, comparisons: Int) {
            current.change(to: rows)
            (ID.hashes.value, ID.comparisons.value) = (0, 0)
            let found = (0..<count).count { index.row(ID(number: $0), near: $0, in: rows) != nil }
            return (found, ID.hashes.value, ID.comparisons.value)
        }
        #expect(found(in: rows) == (count, 0, count))
        rows.removeAll { $0.id.number.isMultiple(of: 2) }
        let removed = found(in: rows)
        #expect(removed.count == count / 2)
        // One table, and one look-up for each row. How many hashes collide depends on the seed of the process.
        #expect(removed.hashes < 2 * count)
        #expect(removed.comparisons < 6 * count)
        // If rows have only changed, the table of their places is kept.
        rows[0].text = "changed"
        let changed = found(in: rows)
        #expect(changed.count == count / 2)
        #expect(changed.hashes <= count + 1)
        #expect(changed.comparisons < 6 * count)
    }

    private func expectFound<Rows: RandomAccessCollection & Sendable>(
        _ change: (inout [ListRow]) -> Void, _ make: ([ListRow]) -> Rows
    ) where Rows.Element == ListRow {
        var rows = (0..<9).map { ListRow(id: $0) }
        let current = Current(make(rows))
        let index = RowIndex(read: current.read, changeCount: current.changeCount)
        for _ in 0..<2 {
            for id in 0..<9 {
                let found = index.row(id, near: id, in: make(rows))
                #expect(found == rows.first { $0.id == id })
            }
            change(&rows)
            current.change(to: make(rows))
        }
    }

    @Test("Rows are found in any collection, after each kind of change")
    func collections() {
        let changes: [(inout [ListRow]) -> Void] = [
            { $0.removeFirst() }, { $0.reverse() }, { $0.removeAll() }, { $0[3].number = 1 },
            { $0.insert(ListRow(id: 10), at: 4) },
        ]
        for change in changes {
            expectFound(change) { $0 }
            expectFound(change) { ([ListRow(id: 0, number: 9)] + $0).dropFirst() }
            expectFound(change) { ScatteredRows($0) }
        }
    }

    @Test("If several rows have an id, each is found at its place, and the first one after it has moved")
    func equalIDs() {
        let rows = [ListRow(id: 1, number: 1), ListRow(id: 1, number: 2)]
        let current = Current(rows)
        let index = RowIndex(read: current.read, changeCount: current.changeCount)
        #expect(index.row(1, near: 1, in: rows)?.number == 2)
        #expect(index.row(1, near: 5, in: rows)?.number == 1)
        #expect(index.row(2, near: 0, in: rows) == nil)
    }

    @Test("A row that comes back is found, also by a lookup in rows that were read before it came back")
    func returning() {
        let (without, with) = ([ListRow(id: 1)], [ListRow(id: 2), ListRow(id: 1)])
        let current = Current(without)
        let index = RowIndex(read: current.read, changeCount: current.changeCount)
        #expect(index.row(2, near: 5, in: without) == nil)
        current.change(to: with)
        // The table of the new count must not be made of the old rows.
        _ = index.row(3, near: 5, in: without)
        #expect(index.row(2, near: 5, in: with) == ListRow(id: 2))
    }

    @Test("A row that another thread inserts while a table is made is found before the next change")
    func insertedMeanwhile() {
        let (without, with) = ([ListRow(id: 1)], [ListRow(id: 2), ListRow(id: 1)])
        let current = Current(without)
        let index = RowIndex(
            read: {
                defer { current.change(to: with) }
                return current.read()
            }, changeCount: current.changeCount)
        #expect(index.row(2, near: 5, in: without) == nil)
        #expect(index.row(2, near: 5, in: with) == ListRow(id: 2))
    }
}
