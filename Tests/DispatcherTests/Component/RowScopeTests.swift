import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing

@MainActor
@Suite("Scopes of rows", .timeLimit(.minutes(10)))
struct RowScopeTests {
    private struct Screen: Equatable, Sendable {
        var rows: [ListRow] = (0..<3).map { ListRow(id: $0) }
        var other = 0
    }

    private enum RowInput: Sendable { case touch, add }

    private enum Input: Sendable {
        case row(id: Int, RowInput)
        case step(RowStep)
        /// Calls a function while the component is busy.
        case call(@Sendable () -> Void)
    }

    private typealias Screens = StateDispatcher<Void, Screen, Input>

    private let log = Log()

    private func component(
        _ rows: [ListRow] = (0..<3).map { ListRow(id: $0) }, maximumChain: Int = 1_000, trace: Trace? = nil
    ) -> Component<Screen, Input> {
        Component(
            initialState: Screen(rows: rows), environment: (), maximumChain: maximumChain, trace: trace,
            dispatcher: Screens.workflow { [log] input in
                switch input {
                case .row(_, .touch):
                    log.append("touched")
                    return []
                case .row(let id, .add): return [.pure(.update { RowStep.change(id: id).apply(to: &$0.rows) })]
                case .step(let step): return [.pure(.update { step.apply(to: &$0.rows) })]
                case .call(let body):
                    body()
                    return []
                }
            })
    }

    private func scopes(_ component: Component<Screen, Input>) -> [Scope<ListRow, RowInput>] {
        Array(component.scopes(state: \.rows, input: Input.row))
    }

    @Test("The scope of a row reads, observes, tracks and sends to the row with its id", .cases(200))
    func rows() async {
        for isNested in [false, true] {
            await expectRows { rows in
                let component = component(rows)
                return (
                    { component.send(.step($0)) },
                    {
                        let scopes =
                            isNested
                            ? Array(
                                component.scope(state: \.self, input: { (input: Input) in input })
                                    .scopes(state: \.rows, input: Input.row))
                            : scopes(component)
                        return scopes.map { row in
                            AnyRowScope(
                                id: row.id, state: { row.state }, observe: { row.observe($0) },
                                drops: { row.send(.touch).isCancelled })
                        }
                    }
                )
            }
        }
    }

    @Test("The list of a collection of another type is tracked, too: it notifies if rows move, and not if one changes")
    func otherCollections() {
        let component = Component(
            initialState: ScatteredRows((0..<3).map { ListRow(id: $0) }), environment: (),
            dispatcher: StateDispatcher<Void, ScatteredRows, RowStep>.pure { step in
                .update { scattered in
                    var rows = Array(scattered)
                    step.apply(to: &rows)
                    scattered = ScatteredRows(rows)
                }
            })
        let ids = Tracking {
            component.scopes(state: \.self, input: { (id, _: Void) in RowStep.change(id: id) }).map(\.id)
        }
        component.send(.change(id: 1))
        #expect(ids.notifications == 0)
        component.send(.swap(0, 2))
        #expect(ids.notifications == 1)
    }

    /// An id that counts how often one is hashed.
    private struct CountedID: Hashable, Sendable {
        let number: Int
        let hashes: Guarded<Int>

        static func == (left: CountedID, right: CountedID) -> Bool { left.number == right.number }

        func hash(into hasher: inout Hasher) {
            hashes.increment()
            hasher.combine(number)
        }
    }

    private struct CountedRow: Identifiable, Equatable, Sendable { let id: CountedID }

    @Test("After a removal, all rows of a list are found with one table: each id is hashed a limited number of times")
    func oneTable() {
        let (count, hashes) = (200, Guarded(0))
        let component = Component(
            initialState: (0..<count).map { CountedRow(id: CountedID(number: $0, hashes: hashes)) }, environment: (),
            dispatcher: StateDispatcher<Void, [CountedRow], Void>.pure { _ in .update { $0.removeFirst() } })
        let rows = Array(component.scopes(state: \.self, input: { (_, input: Void) in input }))
        component.send(())
        hashes.value = 0
        #expect(rows.map(\.state.id.number) == Array(0..<count))
        #expect(hashes.value < 10 * count)
    }

    @Test("The scopes of rows have the indices of an array")
    func indices() {
        let component = component()
        let rows = component.scopes(state: \.rows, input: Input.row)
        #expect(rows[1].id == 1)
        #expect(component.scope(state: \.self, input: { $0 }).scopes(state: \.rows, input: Input.row)[1].id == 1)
        #expect(rows.indices == 0..<component.state.rows.count)
    }

    @Test("A send to a row that is gone performs no action, is recorded as dropped, and its handle is cancelled")
    func sendsToGoneRows() async {
        let events = TraceBuffer()
        let component = component(trace: Trace(to: events))
        let row = scopes(component)[1]
        component.send(.step(.remove(id: 1)))
        events.removeAll()
        let handle = row.send(.touch)
        #expect(handle.isCancelled)
        await handle.finish()
        #expect(log.lines == [])
        #expect(events.all.count == 1)
        guard case .dropped(_, .absent)? = events.all.first?.kind else {
            Issue.record("The input is not dropped because its row is absent.")
            return
        }
        component.send(.step(.insert(id: 1, at: 0)))
        #expect(!row.send(.add).isCancelled)
        #expect(row.state == ListRow(id: 1, number: 1))
    }

    private func drops(in events: TraceBuffer) -> Int {
        events.all.count { if case .dropped = $0.kind { true } else { false } }
    }

    @Test("An input to a row is dropped in its turn, after the inputs before it have added or removed the row")
    func turns() async {
        for isTraced in [false, true] {
            let events = TraceBuffer()
            let component = component(trace: isTraced ? Trace(to: events) : nil)
            let row = scopes(component)[1]
            let handles = Record<SendTask>()
            func sendBehind(_ step: RowStep) {
                component.send(
                    .call {
                        component.send(.step(step))
                        handles.append(row.send(.add))
                    })
            }
            sendBehind(.remove(id: 1))
            #expect(component.state.rows.map(\.id) == [0, 2])
            #expect(drops(in: events) == (isTraced ? 1 : 0))
            sendBehind(.insert(id: 1, at: 0))
            #expect(row.state == ListRow(id: 1, number: 1))
            for handle in handles.values { await handle.finish() }
            #expect(handles.values.map(\.isCancelled) == [true, false])
            // A handle cancels the input before its turn.
            component.send(.call { row.send(.add).cancel() })
            #expect(row.state.number == 1)
            #expect(drops(in: events) == (isTraced ? 2 : 0))
            // The functions in the events retain the component.
            events.removeAll()
        }
    }

    @Test("An endless chain through a row is stopped")
    func chains() {
        let component = component(maximumChain: 50)
        let row = scopes(component)[0]
        let handles = Record<SendTask>()
        let errors = Record<any Error>()
        component.onError { error, _ in errors.append(error) }
        let registration = component.observe(initial: false) { _ in handles.append(row.send(.add)) }
        component.send(.row(id: 0, .add))
        #expect(component.state.rows[0].number == 52)
        #expect(errors.values.map { $0 is RunawayInput } == [true])
        #expect(handles.values.last?.isCancelled == true)
        registration.cancel()
    }

    private enum ListInput: AutoPrism {
        case row(id: Int, RowInput)
        case remove(id: Int)
    }

    @Test("A send within a state update is enqueued, and dropped without an effect if its row is then gone")
    func sendsWithinTransitions() {
        let row = Guarded<Scope<ListRow, RowInput>?>(nil)
        let handles = Record<SendTask>()
        let rows = StateDispatcher<Void, ListRow, RowInput>.workflow { [log] _ in
            [
                .pure(.update { $0.number += 1 }),
                EnvIO {
                    log.append("effect")
                    return .update { _ in }
                },
            ]
        }
        let lists = StateDispatcher<Void, Screen, Int>.pure { id in
            .update { screen in
                if let handle = row.value?.send(.add) { handles.append(handle) }
                screen.rows.removeAll { $0.id == id }
            }
        }
        let component = Component(
            initialState: Screen(), environment: (),
            dispatcher: .combine {
                rows.forEach(state: \.rows, input: ListInput.prism(for: ListInput.row))
                lists.widen(transformInput: ListInput.prism(for: ListInput.remove))
            })
        row.value = component.scopes(state: \.rows, input: ListInput.row).dropFirst().first
        component.send(.remove(id: 0))
        #expect(component.state.rows.map(\.number) == [1, 0])
        component.send(.remove(id: 1))
        #expect(component.state.rows.map(\.number) == [0])
        #expect(log.lines == ["effect"])
        #expect(handles.values.map(\.isCancelled) == [false, true])
        row.value = nil
    }

    @Test("The part of a row belongs to the row: a send to it is dropped if the row is gone")
    func partsOfRows() {
        let component = component()
        let row = scopes(component)[2]
        let number = row.scope(state: \.number, input: { (input: RowInput) in input })
        let same = row.scope(state: \.self, input: { (input: RowInput) in input })
        component.send(.step(.remove(id: 0)))
        number.send(.add)
        #expect((number.state, same.id) == (1, 2))
        component.send(.step(.remove(id: 2)))
        #expect(number.send(.touch).isCancelled && same.send(.touch).isCancelled)
        #expect(number.state == 1)
    }

    @Test("The id of a row is read without tracking, and that of another part with it")
    func ids() {
        let component = component()
        let row = scopes(component)[0]
        let first = component.scope(state: \.rows[0], input: { (input: Input) in input })
        let (untracked, tracked) = (Tracking { row.id }, Tracking { first.id })
        component.send(.step(.change(id: 0)))
        component.send(.step(.remove(id: 0)))
        #expect(untracked.notifications == 0)
        #expect(tracked.notifications == 1)
        #expect((row.id, first.id) == (0, 1))
    }

    @Test("Tracking the list or a row retains no component, and a scope retains its component")
    func lifetimes() {
        var component: Component<Screen, Input>? = component()
        weak let weakComponent = component
        let tracking = Tracking { component.map { scopes($0).map(\.state) } }
        var row: Scope<ListRow, RowInput>? = component.flatMap { scopes($0).first }
        component = nil
        #expect(weakComponent != nil)
        #expect(row?.send(.add).isCancelled == false)
        #expect(tracking.notifications == 1)
        row = nil
        #expect(weakComponent == nil)
    }

    @Test("After a list was read, the first change copies the rows, and later changes are in place")
    func inPlace() {
        let addresses = Record<UInt>()
        let component = Component(
            initialState: Screen(), environment: (),
            dispatcher: Screens.pure { input in
                .update { screen in
                    if case .step(let step) = input { return step.apply(to: &screen.rows) }
                    screen.rows[0].number += 1
                    addresses.append(screen.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                }
            })
        var scopes: [Scope<ListRow, RowInput>] = []
        let list = Tracking { scopes = self.scopes(component) }
        let rows = scopes.map { row in Tracking { row.state } }
        for _ in 1...4 { component.send(.row(id: 0, .add)) }
        #expect(Set(addresses.values.dropFirst()).count == 1)
        #expect(list.notifications == 0)
        #expect(rows.map(\.notifications) == [1, 0, 0])
        // Also while a row that is gone is tracked and observed.
        let registration = scopes[2].observe { _ in }
        component.send(.step(.remove(id: 2)))
        addresses.removeAll()
        for _ in 1...4 { component.send(.row(id: 0, .add)) }
        #expect(scopes[2].state == ListRow(id: 2))
        #expect(Set(addresses.values).count == 1)
        registration.cancel()
    }

    @Test("Threads read rows that another one moves and that another one changes, and read no earlier value again")
    func threads() async throws {
        let component = component((0..<50).map { ListRow(id: $0) })
        let scopes = scopes(component)
        await Task.detached {
            onThreads(4) { thread in
                var last = Array(repeating: 0, count: 50)
                for round in 0..<200 {
                    switch thread {
                    case 0: component.send(.step(round.isMultiple(of: 2) ? .remove(id: 0) : .insert(id: 0, at: 0)))
                    case 1: for id in 1..<50 { component.send(.row(id: id, .add)) }
                    default:
                        // The number of a row that is inserted again begins at 0.
                        for row in scopes.dropFirst() {
                            let state = row.state
                            #expect(state.id == row.id && state.number >= last[row.id])
                            last[row.id] = state.number
                        }
                    }
                }
            }
        }.value
        // A thread that has processed its share leaves the rest to a task.
        try await component.settled()
        #expect(scopes.map(\.state) == component.state.rows)
        #expect(component.state.rows.map(\.number) == [0] + Array(repeating: 200, count: 49))
    }
}
