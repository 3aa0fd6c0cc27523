import Effects
import Optics
import PropertyTesting
import TestSupport
import Testing

@MainActor
@Suite("Store: scopes of rows", .timeLimit(.minutes(10)))
struct StoreRowScopeTests {
    private struct Screen: Equatable, Sendable {
        var rows: [ListRow] = (0..<3).map { ListRow(id: $0) }
    }

    private struct Changed: Action { let step: RowStep }

    private func store(_ rows: [ListRow] = (0..<3).map { ListRow(id: $0) }) -> Store<Screen> {
        Store(
            reducer: on(Changed.self) { screen, changed in changed.step.apply(to: &screen.rows) },
            initialState: Screen(rows: rows))
    }

    @Test("The scope of a row reads, observes and tracks the row with its id, wherever the row is", .cases(200))
    func rows() async {
        for isNested in [false, true] {
            await expectRows { rows in
                let store = store(rows)
                return (
                    { store.dispatch(action: Changed(step: $0)) },
                    {
                        let scopes =
                            isNested
                            ? Array(store.scope(state: \.self).scopes(state: \.rows))
                            : Array(store.scopes(state: \.rows))
                        return scopes.map { row in
                            AnyRowScope(id: row.id, state: { row.value }, observe: { row.observe($0) })
                        }
                    }
                )
            }
        }
    }

    private struct Page: Equatable, Sendable, Identifiable {
        let id: Int
        var note: String? = "note"
    }

    private struct Removed: Action { let id: Int }

    @Test("A scope of a part of a row that is gone is nil, and tracking its creation notifies when the row is removed")
    func partsOfGoneRows() throws {
        let store = Store(
            reducer: on(Removed.self) { (pages: inout [Page], removed) in pages.removeAll { $0.id == removed.id } },
            initialState: (1...4).map { Page(id: $0) })
        let note = Lens(\Page.note).some()
        let ways: [(Selection<Page>) -> Selection<String>?] = [
            { $0.scope(part: note) }, { $0.scope(state: \.self).scope(part: note) },
            { $0.select { $0 }.scope(part: note) },
            { $0.scope(part: Lens(\Page.self)).flatMap { $0.scope(part: note) } },
        ]
        for (row, way) in zip(Array(store.scopes(state: \.self)), ways) {
            let id = row.id
            #expect(way(row)?.value == "note")
            let tracking = Tracking { way(row) == nil }
            store.dispatch(action: Removed(id: id))
            #expect(way(row) == nil)
            #expect(tracking.notifications == 1)
        }
    }

    @Test("A row dispatches actions that contain its id, and retains the store")
    func dispatching() {
        var store: Store<Screen>? = store()
        weak let weakStore = store
        let tracking = Tracking { store.map { $0.scopes(state: \.rows).map(\.value) } }
        var row = store.flatMap { Array($0.scopes(state: \.rows)).last }
        store = nil
        if let row { row.dispatch(action: Changed(step: .change(id: row.id))) }
        #expect(row?.value == ListRow(id: 2, number: 1))
        #expect(row?.select(\.number).value == 1)
        #expect(tracking.notifications == 1)
        row = nil
        #expect(weakStore == nil)
    }
}
