// The code of README.md.

import Dispatcher
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import TestSupport
import Testing

struct Weather: Sendable {
    var degrees: @Sendable (_ city: String) async throws -> Int
}

struct Forecast: Equatable, Sendable {
    var city = ""
    var degrees: Int?
}

enum ForecastInput {
    case show(city: String)
    case clear
}

let forecast = StateDispatcher<Weather, Forecast, ForecastInput>.workflow { input in
    switch input {
    case .clear:
        [.pure(.set(Forecast()))]
    case .show(let city):
        [
            .pure(.update { $0.city = city }),
            EnvIO { weather in
                let degrees = try await weather.degrees(city)
                return .update { $0.degrees = degrees }
            },
        ]
    }
}

struct App: Equatable, Sendable {
    var forecast = Forecast()
    var count = 0
}

enum AppInput: AutoPrism {
    case forecast(ForecastInput)
    case count(Int)
}

let counter = StateDispatcher<Weather, Int, Int>.pure { number in .update { $0 += number } }

let app = StateDispatcher<Weather, App, AppInput>.combine {
    forecast.widen(transformState: \.forecast, transformInput: AppInput.prism(for: AppInput.forecast))
    counter.widen(transformState: \.count, transformInput: AppInput.prism(for: AppInput.count))
}

@Suite("README", .timeLimit(.minutes(10)))
struct ReadmeExampleTests {
    @Test func theComponentShowsTheCityAndThenItsDegrees() async throws {
        let log = Log()
        @Sendable func print(_ text: Any) { log.append("\(text)") }

        let component = Component(
            initialState: Forecast(), environment: Weather { city in city.count }, dispatcher: forecast)

        component.observe { state in print(state) }
        component.onError { error, source in print("\(source) failed: \(error)") }

        component.send(.show(city: "Oslo"))
        try await component.settledIncludingObservers()

        #expect(
            log.lines.map { $0.replacing("DocumentationTests.", with: "") } == [
                "Forecast(city: \"\", degrees: nil)",
                "Forecast(city: \"Oslo\", degrees: nil)",
                "Forecast(city: \"Oslo\", degrees: Optional(4))",
            ])
    }

    @Test func showingACityLoadsItsDegrees() async {
        let component = Component(initialState: Forecast(), environment: Weather { _ in 21 }, dispatcher: forecast)

        await component.send(.show(city: "Oslo")).finish()

        #expect(component.state == Forecast(city: "Oslo", degrees: 21))
    }

    @Test func thePartsMakeAWhole() async {
        let component = Component(
            initialState: App(), environment: Weather { city in city.count }, dispatcher: app)
        component.send(.count(3))
        await component.send(.forecast(.show(city: "Rome"))).finish()
        #expect(component.state == App(forecast: Forecast(city: "Rome", degrees: 4), count: 3))
    }
}

@Suite("README: laws", .timeLimit(.minutes(10)))
struct ReadmeLawTests {
    @Test(arguments: LensLaw.allCases)
    func theForecastOfAnAppIsALens(_ law: LensLaw) async {
        let place = Gen.zip(Gen.string, Gen.int.optional).map { Forecast(city: $0, degrees: $1) }
        let whole = Gen.zip(place, Gen.int).map { App(forecast: $0, count: $1) }

        await law.property(of: Lens(\App.forecast), whole: whole, part: place).check()
    }
}
