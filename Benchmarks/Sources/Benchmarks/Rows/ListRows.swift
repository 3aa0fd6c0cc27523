import Dispatcher
import Effects
import FunctionalCore
import Observation

private let section = "Rows of a list"

/// A list of 10,000 rows, whose ids one tracking reads, and whose rows have a tracking each, as in views. What is notified is
/// tracked again.
var listRows: [Row] {
    [
        Row(section, "a change, 10,000 rows with Int ids") {
            [
                .time("component, 50 tracked", changing("50 tracked", 50, Screen.init), comparingIDs()),
                .time("component, all tracked", changing("all tracked", 10_000, Screen.init), comparing()),
                .time("store, 50 tracked", changing("50 tracked", 50, StoreScreen.init), comparingIDs()),
                .time("store, all tracked", changing("all tracked", 10_000, StoreScreen.init), comparing()),
            ]
        },
        Row(section, "removing the first of 10,000 rows and inserting it again, all tracked") {
            let screen = Screen(shown: 10_000)
            let work = Subject(waiting: "component", operations: 1, expecting: 2) {
                await MainActor.run {
                    let before = screen.notifications
                    screen.perform(.removeFirst)
                    screen.perform(.insertFirst)
                    return screen.notifications - before
                }
            }
            return [.time("against a table of the ids", work, indexing())]
        },
        Row(section, "the ids of 10,000 rows, each") {
            let screen = Screen(shown: 0)
            let ids = Subject(waiting: "scopes", operations: 10_000, expecting: 49_995_000) {
                await MainActor.run { screen.scopes.reduce(0) { $0 + $1.id } }
            }
            return [.time("", ids, Baseline.alloc())]
        },
    ]
}

private struct ListRow: Identifiable, Equatable, Sendable {
    let id: Int
    var title = "A title that is longer than fifteen bytes"
    var number = 0
}

private struct List: Equatable, Sendable {
    var rows = (0..<10_000).map { ListRow(id: $0) }
    var removed: ListRow?
}

private enum ListInput: Action {
    case change(Int)
    case removeFirst
    case insertFirst

    func apply(to list: inout List) {
        switch self {
        case .change(let place): list.rows[place].number &+= 1
        case .removeFirst: list.removed = list.rows.removeFirst()
        case .insertFirst: list.rows.insert(list.removed!, at: 0)
        }
    }
}

/// Tracks what a list and its rows show.
@MainActor
private class Tracker {
    private let shown: Int
    private var changed: [() -> Void] = []
    private var isTracking = false
    private(set) var notifications = 0

    nonisolated init(shown: Int) { self.shown = shown }

    func send(_ input: ListInput) {}
    var count: Int { 0 }
    var rows: [() -> Int] { [] }

    func perform(_ input: ListInput) {
        if !isTracking {
            isTracking = true
            track { use(self.count) }
            for row in rows.prefix(shown) { track { use(row()) } }
        }
        send(input)
        notifications += changed.count
        let again = changed
        changed = []
        for track in again { track() }
    }

    private func track(_ read: @escaping @MainActor () -> Void) {
        withObservationTracking {
            read()
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.changed.append { self?.track(read) } }
        }
    }
}

private final class Screen: Tracker {
    private let component = Component(
        initialState: List(), environment: (),
        dispatcher: StateDispatcher<Void, List, ListInput>.pure { input in .update { input.apply(to: &$0) } })

    override func send(_ input: ListInput) { component.send(input) }

    var scopes: some RandomAccessCollection<Scope<ListRow, Void>> {
        component.scopes(state: \.rows, input: { (id: Int, _: Void) in .change(id) })
    }
    override var count: Int { scopes.count }
    override var rows: [() -> Int] { scopes.map { row in { row.state.number } } }
}

private final class StoreScreen: Tracker {
    private let store = Store(
        reducer: on(ListInput.self) { (list: inout List, input: ListInput) in input.apply(to: &list) },
        initialState: List())

    override func send(_ input: ListInput) { store.dispatch(action: input) }

    override var count: Int { store.scopes(state: \.rows).count }
    override var rows: [() -> Int] { store.scopes(state: \.rows).map { row in { row.value.number } } }
}

private func changing(_ name: String, _ shown: Int, _ make: (Int) -> Tracker) -> Subject {
    let screen = make(shown)
    return Subject(waiting: name, operations: 20, expecting: 20) {
        await MainActor.run {
            let before = screen.notifications
            for place in 0..<20 { screen.perform(.change(opaque(place))) }
            return screen.notifications - before
        }
    }
}

private func comparingIDs() -> Subject {
    let (old, new) = opaque((List().rows, List().rows))
    return Subject("ids", operations: 1, expecting: true) { old.elementsEqual(new) { $0.id == $1.id } }
}

private func comparing() -> Subject {
    let (old, new) = opaque((List().rows, List().rows))
    return Subject("rows", operations: 1, expecting: true) { old.elementsEqual(new) }
}

private func indexing() -> Subject {
    let rows = opaque(List().rows)
    return Subject("table", operations: 1, expecting: 10_000) {
        Dictionary(zip(rows.lazy.map(\.id), 0..<rows.count), uniquingKeysWith: { first, _ in first }).count
    }
}
