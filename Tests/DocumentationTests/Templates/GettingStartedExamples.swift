// The code of the recipes in the article on getting started. Its first example is in ArticleExamples.swift.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("The article on getting started", .timeLimit(.minutes(10)))
struct GettingStartedExampleTests {
    @Test func doNothing() {
        //@block Dispatcher/GettingStarted enum LampInput

        let component = Component(initialState: false, environment: (), dispatcher: lamp)
        let calls = Ref(0)
        component.observe { _ in calls.modify { $0 += 1 } }
        component.send(.ignored)
        #expect(component.state == false)
        #expect(calls.get() == 2)
        component.send(.toggle)
        #expect(component.state == true)
    }

    //@block Dispatcher/GettingStarted nonisolated struct Trip

    @Test func actionsOfAnotherInput() async {
        struct Weather: Sendable { var degrees: @Sendable (String) async throws -> Int }
        struct Forecast: Equatable, Sendable {
            var city = "", degrees: Int?, isLoading = false
            var failure: String?
        }

        //@block Dispatcher/GettingStarted enum PlaceInput

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

        struct Offline: Error {}
        let failing = Component(
            initialState: Forecast(), environment: Weather { _ in throw Offline() }, dispatcher: place)
        await failing.send(.showHome).finish()
        #expect(failing.state == Forecast(failure: "Offline()"))
    }

    @Test func rows() {
        //@block Dispatcher/GettingStarted struct Row

        let component = Component(initialState: Screen(), environment: (), dispatcher: screen)
        component.send(.addRow(id: 1))
        component.send(.addRow(id: 2))
        component.send(.row(id: 2, .add(5)))
        component.send(.row(id: 3, .add(5)))
        #expect(component.state == Screen(rows: [Row(id: 1), Row(id: 2, count: 5)]))
    }

    @Test func saveAfterEachChange() async throws {
        //@block Dispatcher/GettingStarted struct Disk

        let saved = Record<[String]>()
        let disk = Disk(load: { ["milk"] }, save: { items in saved.append(items) })

        //@block Dispatcher/GettingStarted let component = Component(initialState: Todos

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
