// The code of README.md.

import ArchitectureTesting
import Dispatcher
import Foundation
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

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

    @Test func thePartsMakeAWhole() async {
        let component = Component(
            initialState: App(), environment: Weather { city in city.count }, dispatcher: app)
        component.send(.count(3))
        await component.send(.forecast(.show(city: "Rome"))).finish()
        #expect(component.state == App(forecast: Forecast(city: "Rome", degrees: 4), count: 3))
    }
}

@Suite("README: testing", .timeLimit(.minutes(10)))
struct ReadmeTestingTests {
    @Test func showingACityLoadsItsDegrees() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let weather = Weather(
            degrees: calls.stub("degrees") { _ in
                try await time.clock.sleep(for: .seconds(1))
                return 21
            })
        let test = TestDriver(forecast, state: Forecast(), environment: weather, time: time, calls: calls)

        let sent = test.send(.show(city: "Oslo")) { $0.city = "Oslo" }
        test.expectCall("degrees", "Oslo")
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.degrees = 21 }
        test.finish()
    }

    @Test func aTestThatEndsTooEarlyFailsAtItsSend() throws {
        let time = VirtualScheduler()
        let weather = Weather { _ in
            try await time.clock.sleep(for: .seconds(1))
            return 21
        }
        var line = 0
        let failures = Record<Issue>()
        withKnownIssue {
            let test = TestDriver(forecast, state: Forecast(), environment: weather, time: time)
            line = #line + 1
            test.send(.show(city: "Oslo")) { $0.city = "Oslo" }
            test.advance(by: .seconds(0.3))
            test.finish()
        } matching: {
            failures.append($0)
            return true
        }
        #expect(failures.values.map { $0.sourceLocation?.line } == [line])
        let message = try #require(failures.values.first?.comments.first?.rawValue)
        let readme = try String(contentsOf: Self.readme, encoding: .utf8)
        #expect(readme.contains("```text\n\(message)\n```"))
    }

    private static let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md")

    @Test func aTraceShowsWhatHappened() {
        let log = Log()
        @Sendable func print(_ text: Any) { log.append("\(text)") }

        let events = TraceBuffer()
        let traced = Component(
            initialState: Forecast(), environment: Weather { city in city.count }, trace: Trace(to: events),
            dispatcher: forecast)
        traced.send(.clear)
        for event in events.all { print(event) }

        #expect(log.lines.count == 4)
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
