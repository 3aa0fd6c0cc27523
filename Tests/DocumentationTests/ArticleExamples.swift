// The code of the documentation's articles.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("Articles", .timeLimit(.minutes(10)))
struct ArticleExampleTests {
    @Test func functionalCore() async throws {
        struct Shop: Sendable { var price: @Sendable (String) async throws -> Int }

        let total = EnvIO<Shop, any Error, Int> { shop in
            try await shop.price("tea") + shop.price("cake")
        }
        let words = total.map { "That is \($0)." }

        #expect(try await words.run(Shop { _ in 3 }) == "That is 6.")
    }

    @Test func dispatcher() {
        enum StepperInput { case tapDecrement, tapIncrement }

        let stepper = StateDispatcher<Void, Int, StepperInput>.pure { input in
            switch input {
            case .tapDecrement: .update { $0 -= 1 }
            case .tapIncrement: .update { $0 += 1 }
            }
        }

        let component = Component(initialState: 0, environment: (), dispatcher: stepper)
        component.send(.tapIncrement)  // component.state == 1

        #expect(component.state == 1)
    }

    @Test func gettingStarted() async {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        enum CounterInput {
            case add(Int)
            case reset
        }

        let counter = StateDispatcher<Void, Int, CounterInput>.pure { input in
            switch input {
            case .add(let number): .update { $0 += number }
            case .reset: .set(0)
            }
        }

        struct Weather: Sendable { var degrees: @Sendable (String) async throws -> Int }
        struct Forecast: Equatable, Sendable { var city = "", degrees: Int?, isLoading = false }

        let forecast = StateDispatcher<Weather, Forecast, String>.workflow { city in
            [
                .pure(.update { $0.isLoading = true }),
                EnvIO { weather in
                    let degrees = try await weather.degrees(city)
                    return .update { $0 = Forecast(city: city, degrees: degrees) }
                },
            ]
        }

        struct App: Equatable, Sendable { var counter = 0, forecast = Forecast() }
        enum AppInput: AutoPrism {
            case counter(CounterInput)
            case forecast(String)
        }

        let app = StateDispatcher<Weather, App, AppInput>.combine {
            counter.widen(
                transformEnvironment: { _ in () },
                transformState: \.counter,
                transformInput: AppInput.prism(for: AppInput.counter)
            )
            forecast.widen(transformState: \.forecast, transformInput: AppInput.prism(for: AppInput.forecast))
        }

        let weather = Weather { _ in 21 }
        let component = Component(initialState: App(), environment: weather, dispatcher: app)

        component.observe(\.counter) { count in print("The counter says \(count).") }
        component.onError { error, source in print("\(source) failed: \(error)") }

        component.send(.counter(.add(2)))
        await component.send(.forecast("Oslo")).finish()

        #expect(component.state.forecast == Forecast(city: "Oslo", degrees: 21))
        #expect(log.lines == ["The counter says 0.", "The counter says 2."])
    }
}
