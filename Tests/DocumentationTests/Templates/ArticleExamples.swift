// The code of the documentation's articles.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("Articles", .timeLimit(.minutes(10)))
struct ArticleExampleTests {
    @Test func functionalCore() async throws {
        //@block FunctionalCore/FunctionalCore struct Shop

        #expect(try await words.run(Shop { _ in 3 }) == "That is 6.")
    }

    @Test func dispatcher() {
        //@block Dispatcher/Dispatcher enum StepperInput

        #expect(component.state == 1)
    }

    @Test func gettingStarted() async {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block Dispatcher/GettingStarted enum CounterInput

        //@block Dispatcher/GettingStarted struct Weather

        //@block Dispatcher/GettingStarted struct App

        //@block Dispatcher/GettingStarted let weather

        #expect(component.state.forecast == Forecast(city: "Oslo", degrees: 21))
        #expect(log.lines == ["The counter says 0.", "The counter says 2."])

        //@block Dispatcher/GettingStarted let test

        struct Offline: Error {}
        let failing = Component(
            initialState: App(), environment: Weather { _ in throw Offline() }, dispatcher: app)
        await failing.send(.forecast("Oslo")).finish()
        #expect(failing.state.forecast == Forecast(city: "Oslo", failure: "Offline()"))
    }
}
