// The code of the article on compiler messages.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import Testing

@Suite("The article on compiler messages", .timeLimit(.minutes(10)))
struct DiagnosticsExampleTests {
    private struct Refused: Error {}

    @Test func programs() throws {
        let price = EnvIO<Void, any Error, Int>.pure(2)
        let discount = EnvIO<Void, Refused, Int>.pure(1)

        //@block Dispatcher/Diagnostics let total

        //@block Dispatcher/Diagnostics let last

        //@block Dispatcher/Diagnostics let both

        //@block Dispatcher/Diagnostics let later

        #expect(try total.runSync(()) == 6)
        #expect(try last.runSync(()) == 2)
        #expect(try both.runSync(()) == (2, 1))
        _ = later
    }

    @Test func schedules() throws {
        let runs = Ref(0)
        let price = EnvIO<Void, any Error, Int> { _ in
            runs.modify { $0 += 1 }
            if runs.get() < 3 { throw Refused() }
            return 2
        }

        //@block Dispatcher/Diagnostics let pauses

        //@block Dispatcher/Diagnostics let again

        #expect(try again.runSync(()) == 2)
        #expect(runs.get() == 3)
        #expect(pauses.delays(for: [Refused(), Refused(), Refused()]) == [.seconds(1), .seconds(1)])
        _ = (patient, brief)
    }

    @Test func actions() async throws {
        //@block FunctionalCore/Concurrency struct Shop
        struct Offer: Equatable, Sendable { var price = 0, isLoading = false }
        enum OfferInput { case load }
        struct Order: Equatable, Sendable { var counter = Counter() }
        enum OrderInput: AutoPrism { case counter(CounterInput) }
        let shop = Shop { $0.count }
        let counter = StateDispatcher<Void, Counter, CounterInput>.pure { _ in .update { $0.count += 1 } }

        //@block Dispatcher/Diagnostics let refused

        //@block Dispatcher/Diagnostics let twice

        //@block Dispatcher/Diagnostics var offer

        //@block Dispatcher/Diagnostics var order

        await #expect(throws: Refused.self) { try await refused.run(shop) }
        #expect(try await twice.run(shop) == 6)
        let offers = Component(initialState: Offer(), environment: shop, dispatcher: offer)
        await offers.send(.load).finish()
        #expect(offers.state.price == 3)

        //@block Dispatcher/Diagnostics var loading

        let loaded = Component(initialState: Offer(), environment: shop, dispatcher: loading)
        await loaded.send("mint").finish()
        #expect(loaded.state == Offer(price: 4))
        let orders = Component(initialState: Order(), environment: shop, dispatcher: order)
        orders.send(.counter(.add))
        #expect(orders.state.counter.count == 1)
    }

    @Test func received() {
        //@block Dispatcher/Diagnostics enum ChatInput
        let chat = StateDispatcher<Void, [String], ChatInput>.pure { input in
            switch input {
            case .received(let line): return .update { $0.append(line) }
            case .leave: return .set([])
            }
        }
        let test = TestDriver(chat, state: [], environment: ())
        test.component.send(.received("Hi"))
        test.receive(.received("Hi")) { $0 = ["Hi"] }
        test.send(.leave) { $0 = [] }
        test.finish()
    }

    @Test func isolation() {
        //@block Dispatcher/Diagnostics nonisolated struct Forecast
        enum AppInput: AutoPrism { case forecast(Int) }
        let forecast = StateDispatcher<Void, Forecast, Int>.pure { degrees in .set(Forecast(degrees: degrees)) }
        let app = StateDispatcher<Void, App, AppInput>.combine {
            forecast.widen(transformState: \.forecast, transformInput: AppInput.prism(for: AppInput.forecast))
        }
        let component = Component(initialState: App(), environment: (), dispatcher: app)
        component.send(.forecast(4))
        #expect(component.state == App(forecast: Forecast(degrees: 4)))
    }

    @Test func prismOfACase() {
        enum ForecastInput: Equatable {
            case show(city: String)
            case reload
        }

        //@block Dispatcher/Diagnostics let shown

        #expect(shown.extract(shown.embed("Oslo")) == "Oslo")
        #expect(shown.extract(.reload) == nil)
    }

    @Test func rows() async {
        struct Server: Sendable { var rows: @Sendable () async throws -> [Int] }
        struct Screen: Equatable, Sendable { var rows: [Int] = [] }
        enum Input { case load }

        //@block Dispatcher/Diagnostics var screen

        let component = Component(initialState: Screen(), environment: Server { [2, 1] }, dispatcher: screen)
        await component.send(.load).finish()
        #expect(component.state == Screen(rows: [1, 2]))
    }

    @Test func keyPath() async {
        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            var count = 0
        }
        struct Screen: Equatable, Sendable { var rows: [Row] = [] }
        enum ScreenInput: AutoPrism { case row(id: Int, Int) }
        let row = StateDispatcher<Void, Row, Int>.pure { number in .update { $0.count += number } }

        //@block Dispatcher/Diagnostics let screen = row.forEach(state

        struct Shop: Sendable {}

        //@block Dispatcher/Diagnostics var list

        let shop = Component(initialState: Screen(rows: [Row(id: 1)]), environment: Shop(), dispatcher: list)
        await shop.send(.row(id: 1, 2)).finish()
        #expect(shop.state == Screen(rows: [Row(id: 1, count: 2)]))
        let component = Component(initialState: Screen(rows: [Row(id: 1)]), environment: (), dispatcher: screen)
        component.send(.row(id: 1, 2))
        #expect(component.state == Screen(rows: [Row(id: 1, count: 2)]))
    }

    @Test func inputsAsAFunction() {
        let counter = StateDispatcher<Void, Int, CounterInput>.pure { input in
            switch input {
            case .add: return .update { $0 += 1 }
            case .reset: return .set(0)
            }
        }

        //@block Dispatcher/Diagnostics var app: StateDispatcher<Void, Page,

        let component = Component(initialState: Page(), environment: (), dispatcher: app)
        for input in [PageInput.add, .addTwice, .share] { component.send(input) }
        #expect(component.state.counter == 2)
        component.send(.clear)
        #expect(component.state.counter == 0)
    }

    @Test func reader() {
        struct Notebook: Sendable { var items: @Sendable () -> [String] }
        struct Notes: Equatable, Sendable { var items: [String] = [], isSaved = false }
        let notes = StateDispatcher<Notebook, Notes, Void>.pure { _ in .update { $0.items.append("milk") } }
        //@block Dispatcher/Diagnostics var saving
        do {
            //@block Dispatcher/Diagnostics let component
            component.send(())
            #expect(component.state.items == ["milk"])
        }
        let component = Component(
            initialState: Notes(), environment: { state in Notebook(items: { state().items }) },
            dispatcher: notes.combine(saving))
        component.send(())
        #expect(component.state.isSaved)
    }

    @Test func dispatchers() {
        let component = Component(initialState: Counters(), environment: (), dispatcher: DiagnosticsExample.app)
        component.send(.left(.add))
        component.send(.right(.add))
        component.send(.right(.reset))
        #expect(component.state == Counters(left: Counter(count: 1)))
    }
}

//@block Dispatcher/Diagnostics public enum CounterInput

private struct Page: Equatable, Sendable { var counter = 0 }
private enum PageInput {
    case add
    case addTwice
    case clear
    case share
}

private struct Counter: Equatable, Sendable { var count = 0 }
private struct Counters: Equatable, Sendable { var left = Counter(), right = Counter() }
private enum CountersInput: AutoPrism {
    case left(CounterInput)
    case right(CounterInput)
}

private enum DiagnosticsExample {
    static var app: StateDispatcher<Void, Counters, CountersInput> {
        //@block Dispatcher/Diagnostics var counter

        //@block Dispatcher/Diagnostics var app: StateDispatcher<Void, Counters,
        return app
    }
}
