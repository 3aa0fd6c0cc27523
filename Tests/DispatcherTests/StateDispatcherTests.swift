import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

private struct Row: Equatable, Sendable, Identifiable {
    var id: Int
    var count = 0
}

private struct Table: Equatable, Sendable {
    var rows: [Row] = []
    var title = ""
    var selected: Row?
    var length = 0
}

private enum RowInput: Equatable, Sendable {
    case add(Int)
    case fail
}

private enum TableInput: Equatable, Sendable, AutoPrism {
    case row(id: Int, RowInput)
    case selected(RowInput)
    case rename(String)
}

private let row = StateDispatcher<Void, Row, RowInput>.workflow { input in
    switch input {
    case .add(let number): [.pure(.update { $0.count += number })]
    case .fail: [.fail(Broken())]
    }
}

private let rename = StateDispatcher<Void, Table, String>.pure { title in .update { $0.title = title } }

@Suite("StateDispatcher", .timeLimit(.minutes(10)))
struct StateDispatcherTests {
    private func component(_ dispatcher: StateDispatcher<Void, Table, TableInput>) -> Component<Table, TableInput> {
        Component(
            initialState: Table(rows: [Row(id: 7), Row(id: 8)]), environment: (), dispatcher: dispatcher)
    }

    @Test("forEach changes the element that the input names, along a lens by a key path to its id, or along a key path")
    func forEachChangesTheElementThatTheInputNames() {
        let (rows, input) = (Lens(\Table.rows), TableInput.prism(for: TableInput.row))
        let ways = [
            row.forEach(state: rows, id: \.id, input: input), row.forEach(state: \Table.rows, input: input),
        ]
        for (number, way) in ways.enumerated() {
            let component = component(way)
            component.send(.row(id: 8, .add(5)))
            component.send(.row(id: 99, .add(5)))
            #expect(component.state.rows == [Row(id: 7), Row(id: 8, count: 5)], "\(number)")
        }
    }

    @Test("forEach over a dictionary changes what forEach over an array of the same elements changes", .cases(200))
    func forEachOverADictionary() async {
        enum TableInput: AutoPrism { case row(Int, RowInput) }
        let input = TableInput.prism(for: TableInput.row)
        let policed = row.policy(.first)
        let overArray = policed.forEach(state: Lens(\[Row].self), id: \.id, input: input)
        let overDictionary = policed.forEach(state: Lens(\[Int: Row].self), element: Affine.element(id:), input: input)
        await forAll(Gen.zip(.int(in: 0...4), .int(in: -9...9)).array(0...10)) { inputs in
            let rows = (0..<3).map { Row(id: $0) }
            let array = Component(initialState: rows, environment: (), dispatcher: overArray)
            let dictionary = Component(
                initialState: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }), environment: (),
                dispatcher: overDictionary)
            for (id, number) in inputs {
                array.send(.row(id, .add(number)))
                dictionary.send(.row(id, .add(number)))
            }
            #expect(dictionary.state.values.sorted { $0.id < $1.id } == array.state)
        }
    }

    @Test("Each element of a dictionary has separate work")
    func policiesOverADictionary() {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let slow = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { () async throws in
                try await clock.sleep(for: .seconds(1))
                return .update { $0 += number }
            }
        }
        let dispatcher = slow.policy(.first).forEach(
            state: Lens(\[String: Int].self), element: Affine.element(id:),
            input: Prism<(String, Int), (String, Int)>.identity)
        let component = Component(
            initialState: ["a": 0, "b": 0], environment: (), executor: scheduler.executor, dispatcher: dispatcher)
        for name in ["a", "b", "a", "c"] { component.send((name, 1)) }
        scheduler.advance(by: .seconds(1))
        #expect(component.state == ["a": 1, "b": 1])
    }

    @Test func anOptionalChildChangesOnlyIfPresent() {
        let dispatcher = row.widen(
            transformState: Lens(\Table.selected).appending(Prism.some),
            transformInput: TableInput.prism(for: TableInput.selected))
        let component = component(dispatcher)
        component.send(.selected(.add(1)))
        #expect(component.state.selected == nil)
        let there = Component(
            initialState: Table(selected: Row(id: 1)), environment: (), dispatcher: dispatcher)
        there.send(.selected(.add(1)))
        #expect(there.state.selected == Row(id: 1, count: 1))
    }

    @Test func onChangeAddsAChangeToTheActionThatChangedThePart() {
        let dispatcher = rename.widen(transformInput: TableInput.prism(for: TableInput.rename))
            .onChange(of: \.title) { old, new in .update { $0.length = new.count - old.count } }
        let component = component(dispatcher)
        let seen = Log()
        component.observe { seen.append("\($0.title) \($0.length)") }
        component.send(.rename("abc"))
        component.send(.rename("abc"))
        #expect(seen.lines == [" 0", "abc 3", "abc 3"])
    }

    @Test("combine, also as a block, asks only the dispatchers of the case", arguments: [false, true])
    func routing(isBlock: Bool) {
        let (asked, tried) = (Log(), Log())
        func child<Input: Sendable>(_ name: String, _: Input.Type) -> StateDispatcher<Void, Table, Input> {
            .workflow { _ in
                asked.append(name)
                return []
            }
        }
        let closure = Prism<TableInput, String>(
            embed: { .rename($0) },
            extract: { input in
                tried.append("closure")
                if case .rename(let title) = input { return title }
                return nil
            })
        let selected = child("selected", RowInput.self).widen(
            transformInput: TableInput.prism(for: TableInput.selected))
        let row = child("row", (Int, RowInput).self).widen(transformInput: TableInput.prism(for: TableInput.row))
        let rename = rename.widen(transformInput: closure)
        let dispatcher =
            isBlock
            ? StateDispatcher.combine {
                for child in [selected, row] { child }
                rename
            } : selected.combine(row).combine(rename)
        for _ in 0..<2 {
            _ = dispatcher.on(.selected(.fail))
            _ = dispatcher.on(.row(id: 8, .fail))
            #expect(dispatcher.on(.rename("a")).count == 1)
        }
        #expect(asked.lines == ["selected", "row", "selected", "row"])
        // A closure has no case that routing can use, so it is tried for every input.
        #expect(tried.lines.count == 6)
    }

    @Test func routingIsLearnedSafelyByManyThreadsAtOnce() {
        for _ in 0..<200 {
            let dispatcher = row.widen(
                transformState: Lens(\Table.selected).appending(Prism.some),
                transformInput: TableInput.prism(for: TableInput.selected)
            ).combine(rename.widen(transformInput: TableInput.prism(for: TableInput.rename)))
            let counts = Guarded<[Int]>([])
            onThreads(4) { thread in
                let count = dispatcher.on(thread % 2 == 0 ? .rename("a") : .row(id: 7, .fail)).count
                counts.withLock { $0.append(count) }
            }
            #expect(counts.withLock { $0.sorted() } == [0, 0, 1, 1])
        }
    }

    @Test func aLargeStateIsChangedInPlace() {
        struct Large: Equatable, Sendable {
            var numbers = Array(repeating: 0, count: 100_000)
            var count = 0
        }
        let address = Guarded<[Int]>([])
        let child = StateDispatcher<Void, [Int], Int>.pure { index in
            .update { numbers in
                numbers[index] += 1
                let base = numbers.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
                address.withLock { $0.append(base) }
            }
        }
        let component = Component(
            initialState: Large(), environment: (),
            dispatcher: child.widen(transformState: Lens(\Large.numbers)))
        let scope = component.scope(state: \.count, input: { (index: Int) in index })
        scope.observe { _ in }
        component.observe { _ = $0.numbers[0] }
        component.send(1)
        for index in 0..<10 { scope.send(index) }
        // The initial state is uniquely referenced, so not even the first change copies it.
        #expect(Set(address.withLock { $0 }).count == 1)
        #expect(component.state.numbers[1] == 2)
    }

    @Test("A policy applies separately to each widened dispatcher that an input reaches")
    func policiesOfWidened() async {
        struct Both: Equatable, Sendable { var left = 0, right = 0 }
        let gate = Gate()
        let child = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { () async throws in
                await gate.pass()
                return .update { $0 += number }
            }
        }.policy(.latest)
        let dispatcher = StateDispatcher<Void, Both, Int>.combine {
            child.widen(
                transformState: \.left, transformInput: Prism(embed: { $0 }, extract: { $0 < 3 ? $0 : nil }))
            child.widen(
                transformState: \.right, transformInput: Prism(embed: { $0 }, extract: { $0 > 1 ? $0 : nil }))
        }
        let component = Component(initialState: Both(), environment: (), dispatcher: dispatcher)
        let tasks = [1, 2, 3].map { component.send($0) }
        await gate.open()
        for task in tasks { await task.finish() }
        #expect(component.state == Both(left: 2, right: 3))
    }

    @Test func theErrorOfAWidenedChildNamesTheParentsInput() {
        let component = component(
            row.forEach(state: Lens(\Table.rows), id: \.id, input: TableInput.prism(for: TableInput.row)))
        let errors = Log()
        component.onError { error, input in errors.append("\(error) \(input)") }
        component.send(.row(id: 8, .fail))
        #expect(errors.lines.count == 1)
        #expect(errors.lines.first?.hasPrefix("Broken() row(id: 8") == true)
    }
}

@Suite("StateDispatcher: handleError", .timeLimit(.minutes(10)))
struct HandleErrorTests {
    private let failing = StateDispatcher<Void, [String], Int>.workflow { number in
        [
            .pure(.update { $0.append("begin \(number)") }),
            .fail(Broken()),
            EnvIO { () async throws in
                await Task.yield()
                throw Broken()
            },
            .pure(.update { $0.append("end") }),
        ]
    }

    @Test func handleErrorTurnsAFailureIntoAChangeAndTheWorkflowContinues() async {
        let component = Component(
            initialState: [], environment: (),
            dispatcher: failing.handleError { error, number in .update { $0.append("\(error) \(number)") } })
        let errors = Log()
        component.onError { error, _ in errors.append("\(error)") }
        await component.send(7).finish()
        #expect(component.state == ["begin 7", "Broken() 7", "Broken() 7", "end"])
        #expect(errors.lines.isEmpty)
    }

    @Test func handleErrorEndsAFailingStreamWithTheChange() async {
        @Sendable func changes(_ number: Int) throws -> AsyncThrowingStream<State<[String], Void>, any Error> {
            if number == 0 { throw Broken() }
            return AsyncThrowingStream { continuation in
                continuation.yield(.update { $0.append("one") })
                continuation.finish(throwing: Broken())
            }
        }
        let stream = StateDispatcher<Void, [String], Int>.stream { number, _ in try changes(number) }
        let component = Component(
            initialState: [], environment: (),
            dispatcher: stream.handleError { error, number in .update { $0.append("\(error) \(number)") } })
        await component.send(3).finish()
        await component.send(0).finish()
        #expect(component.state == ["one", "Broken() 3", "Broken() 0"])
    }
}
