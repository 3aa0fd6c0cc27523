// The code of the recipes in the article on getting started. Its first example is in ArticleExamples.swift.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("The article on getting started", .timeLimit(.minutes(10)))
struct GettingStartedExampleTests {
    @Test func doNothing() {
        enum LampInput { case toggle, ignored }

        let lamp = StateDispatcher<Void, Bool, LampInput>.pure { input in
            switch input {
            case .toggle: .update { $0.toggle() }
            case .ignored: .pure(())
            }
        }

        let component = Component(initialState: false, environment: (), dispatcher: lamp)
        let calls = Ref(0)
        component.observe { _ in calls.modify { $0 += 1 } }
        component.send(.ignored)
        #expect(component.state == false)
        #expect(calls.get() == 2)
        component.send(.toggle)
        #expect(component.state == true)
    }

    @Test func actionsOfAnotherInput() async {
        struct Weather: Sendable { var degrees: @Sendable (String) async throws -> Int }
        struct Forecast: Equatable, Sendable { var city = "", degrees: Int?, isLoading = false }

        enum PlaceInput {
            case show(String)
            case showHome
        }
        typealias Place = StateDispatcher<Weather, Forecast, PlaceInput>

        @Sendable func load(_ city: String) -> [Place.Action] {
            [
                .pure(.update { $0.isLoading = true }),
                EnvIO { weather in
                    let degrees = try await weather.degrees(city)
                    return .update { $0 = Forecast(city: city, degrees: degrees) }
                },
            ]
        }

        let place = Place.workflow { input in
            switch input {
            case .show(let city): load(city)
            case .showHome: [.pure(.set(Forecast()))] + load("Oslo")
            }
        }

        let log = Record<Forecast>()
        let component = Component(initialState: Forecast(), environment: Weather { _ in 21 }, dispatcher: place)
        await component.send(.show("Rome")).finish()
        component.observe { log.append($0) }
        await component.send(.showHome).finish()
        #expect(
            log.values == [
                Forecast(city: "Rome", degrees: 21), Forecast(), Forecast(isLoading: true),
                Forecast(city: "Oslo", degrees: 21),
            ])
    }

    @Test func rows() {
        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            var count = 0
        }
        struct Screen: Equatable, Sendable { var rows: [Row] = [] }
        enum RowInput { case add(Int) }
        enum ScreenInput: AutoPrism {
            case addRow(id: Int)
            case row(id: Int, RowInput)
        }

        let row = StateDispatcher<Void, Row, RowInput>.pure { input in
            switch input {
            case .add(let number): .update { $0.count += number }
            }
        }
        let list = StateDispatcher<Void, Screen, ScreenInput>.workflow { input in
            switch input {
            case .addRow(let id): [.pure(.update { $0.rows.append(Row(id: id)) })]
            case .row: []
            }
        }

        let screen = StateDispatcher<Void, Screen, ScreenInput>.combine {
            list
            row.forEach(state: \.rows, input: ScreenInput.prism(for: ScreenInput.row))
        }

        let component = Component(initialState: Screen(), environment: (), dispatcher: screen)
        component.send(.addRow(id: 1))
        component.send(.addRow(id: 2))
        component.send(.row(id: 2, .add(5)))
        component.send(.row(id: 3, .add(5)))
        #expect(component.state == Screen(rows: [Row(id: 1), Row(id: 2, count: 5)]))
    }

    @Test func saveAfterEachChange() async throws {
        struct Disk: Sendable {
            var load: @Sendable () async throws -> [String]
            var save: @Sendable ([String]) async throws -> Void
        }
        struct Todos: Equatable, Sendable { var items: [String]? }
        enum TodosInput: AutoPrism {
            case load
            case add(String)
            case save([String])
        }

        let editing = StateDispatcher<Disk, Todos, TodosInput>.workflow { input in
            switch input {
            case .load:
                [
                    EnvIO { disk in
                        let items = try await disk.load()
                        return .update { $0.items = items }
                    }
                ]
            case .add(let item): [.pure(.update { $0.items?.append(item) })]
            case .save: []
            }
        }
        let saving = StateDispatcher<Disk, Todos, [String]>.effectful { items in
            EnvIO { disk in
                try await disk.save(items)
                return .pure(())
            }
        }
        let todos = StateDispatcher<Disk, Todos, TodosInput>.combine {
            editing
            saving.policy(.queued).widen(transformInput: TodosInput.prism(for: TodosInput.save))
        }

        let saved = Record<[String]>()
        let disk = Disk(load: { ["milk"] }, save: { items in saved.append(items) })

        let component = Component(initialState: Todos(), environment: disk, dispatcher: todos)
        component.observe(\.items) { [weak component] items in
            guard let items else { return }  // Nothing is loaded yet.
            component?.send(.save(items))
        }
        component.send(.load)

        try await component.settled()
        #expect(saved.values == [["milk"]])
        component.send(.add("bread"))
        component.send(.add("tea"))
        try await component.settled()
        #expect(saved.values == [["milk"], ["milk", "bread"], ["milk", "bread", "tea"]])

        let failing = Disk(load: { throw CancellationError() }, save: { items in saved.append(items) })
        let empty = Component(initialState: Todos(), environment: failing, dispatcher: todos)
        empty.onError { _, _ in }
        empty.observe(\.items) { [weak empty] items in
            guard let items else { return }
            empty?.send(.save(items))
        }
        empty.send(.load)
        try await empty.settled()
        empty.send(.add("bread"))
        try await empty.settled()
        #expect(saved.values.count == 3)
    }

    @Test func theEnvironmentIsEvaluatedForEachAction() {
        let made = Ref(0)
        @Sendable func make() { made.modify { $0 += 1 } }
        let component = Component(
            initialState: 0, environment: make(),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in EnvIO { _ in .update { $0 += number } } })
        component.send(1)
        component.send(2)
        #expect(component.state == 3)
        #expect(made.get() == 2)
    }
}
