import PropertyTesting
public import Testing

/// A row of the lists that `expectRows` changes.
public struct ListRow: Equatable, Identifiable, Sendable {
    public let id: Int
    public var number = 0

    public init(id: Int, number: Int = 0) {
        self.id = id
        self.number = number
    }
}

/// Rows that are not next to each other in memory.
public struct ScatteredRows: RandomAccessCollection, Equatable, Sendable {
    private let rows: [ListRow]

    public init(_ rows: [ListRow]) { self.rows = rows }

    public var startIndex: Int { 7 }
    public var endIndex: Int { 7 + rows.count }
    public subscript(index: Int) -> ListRow { rows[index - 7] }
}

/// A change of a list of rows.
public enum RowStep: Sendable {
    case change(id: Int)
    case remove(id: Int)
    case insert(id: Int, at: Int)
    case swap(Int, Int)
    case removeAll
    /// Reads the list, as a view does that is evaluated again.
    case list

    fileprivate static let gen: Gen<RowStep> = {
        let number = Gen.int(in: 0...4)
        return .frequency(
            (6, number.map { .change(id: $0) }), (3, number.map { .remove(id: $0) }),
            (4, Gen.zip(number, number).map { .insert(id: $0, at: $1) }),
            (2, Gen.zip(number, number).map { .swap($0, $1) }), (1, .always(.removeAll)), (4, .always(.list)))
    }()

    public func apply(to rows: inout [ListRow]) {
        switch self {
        case .change(let id): for index in rows.indices where rows[index].id == id { rows[index].number += 1 }
        case .remove(let id): rows.removeAll { $0.id == id }
        case .insert(let id, let place):
            if !rows.contains(where: { $0.id == id }) { rows.insert(ListRow(id: id), at: min(place, rows.count)) }
        case .swap(let first, let second):
            if !rows.isEmpty { rows.swapAt(first % rows.count, second % rows.count) }
        case .removeAll: rows = []
        case .list: break
        }
    }
}

/// The scope of a row, in any front door.
public struct AnyRowScope {
    let id: Int
    let state: () -> ListRow
    let observe: (@escaping @Sendable (ListRow) -> Void) -> Void
    /// Sends an input that changes nothing, and returns whether it was dropped.
    let drops: (() -> Bool)?

    public init(
        id: Int, state: @escaping () -> ListRow, observe: @escaping (@escaping @Sendable (ListRow) -> Void) -> Void,
        drops: (() -> Bool)? = nil
    ) {
        (self.id, self.state, self.observe, self.drops) = (id, state, observe, drops)
    }
}

/// A scope, and what a model expects of it.
private struct KnownRow {
    let scope: AnyRowScope
    let place: Int
    let tracked: ListRow
    let tracking: Tracking
    var isChanged = false
    var last: ListRow
    let observed = Record<ListRow>()
    var expected: [ListRow]

    init(_ scope: AnyRowScope, _ row: ListRow, at place: Int) {
        (self.scope, self.place) = (scope, place)
        (tracked, last, expected) = (row, row, [row])
        tracking = Tracking { scope.state() }
        scope.observe { [observed] row in observed.append(row) }
    }
}

/// Changes generated lists, and expects of each scope of each earlier list what a search for its id would find.
///
/// - Parameter open: Opens a front door. Returns how it is changed, and the scopes of its rows.
@MainActor
public func expectRows(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ open: ([ListRow]) -> (change: (RowStep) -> Void, scopes: () -> [AnyRowScope])
) async {
    await forAll(RowStep.gen.array(0...20)) { steps in
        var rows = (0..<3).map { ListRow(id: $0) }
        let (change, scopes) = open(rows)
        var lists: [(tracking: Tracking, ids: [Int], isChanged: Bool)] = []
        var known: [KnownRow] = []
        var hasMoved = false
        for step in [.list] + steps {
            if case .list = step {
                var listed: [AnyRowScope] = []
                lists.append((Tracking { listed = scopes() }, rows.map(\.id), false))
                #expect(listed.map(\.id) == rows.map(\.id), sourceLocation: sourceLocation)
                known += zip(listed, rows).enumerated().map { KnownRow($1.0, $1.1, at: $0) }
            } else {
                change(step)
                step.apply(to: &rows)
            }
            for index in lists.indices {
                lists[index].isChanged = lists[index].isChanged || lists[index].ids != rows.map(\.id)
                let (tracking, _, isChanged) = lists[index]
                #expect(tracking.notifications == (isChanged ? 1 : 0), sourceLocation: sourceLocation)
            }
            for index in known.indices {
                let place = rows.firstIndex { $0.id == known[index].scope.id }
                if let row = place.map({ rows[$0] }) {
                    known[index].isChanged = known[index].isChanged || row != known[index].tracked
                    known[index].last = row
                    if row != known[index].expected.last { known[index].expected.append(row) }
                }
                let row = known[index]
                hasMoved = hasMoved || place != nil && place != row.place
                #expect(row.tracking.notifications == (row.isChanged ? 1 : 0), sourceLocation: sourceLocation)
                #expect(row.scope.state() == row.last, sourceLocation: sourceLocation)
                #expect(row.scope.id == row.last.id, sourceLocation: sourceLocation)
                #expect(row.observed.values == row.expected, sourceLocation: sourceLocation)
                if let drops = row.scope.drops { #expect(drops() == (place == nil), sourceLocation: sourceLocation) }
            }
        }
        classify(hasMoved, "a row has moved", atLeast: 0.1)
        classify(known.contains { row in !rows.contains { $0.id == row.last.id } }, "a row is gone", atLeast: 0.1)
    }
}
