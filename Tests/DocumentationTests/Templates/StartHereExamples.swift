// The code of the article that a newcomer starts with. The README repeats some of it.

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

//@block FunctionalArchitecture/StartHere struct Weather

//@block FunctionalArchitecture/StartHere struct App

@Suite("Start here", .timeLimit(.minutes(10)))
struct StartHereExampleTests {
    @Test func theComponentShowsTheCityAndThenItsDegrees() async throws {
        let log = Log()
        @Sendable func print(_ text: Any) { log.append("\(text)") }

        //@block FunctionalArchitecture/StartHere let component

        #expect(
            log.lines.map { $0.replacing("DocumentationTests.", with: "") } == [
                "Forecast(city: \"\", degrees: nil)",
                "Forecast(city: \"Oslo\", degrees: nil)",
                "Forecast(city: \"Oslo\", degrees: Optional(4))",
            ])
    }

    @Test func theProgramShowsTheCityOfEachLine() async throws {
        let component = Component(
            initialState: Forecast(), environment: Weather { city in city.count }, dispatcher: forecast)
        let shown = Record<String>()
        component.observe(\.city, initial: false) { city in shown.append(city) }
        let input = Ref(["Rome", "Bergen"])
        @Sendable func readLine() -> String? { input.modify { $0.isEmpty ? nil : $0.removeFirst() } }

        //@block FunctionalArchitecture/StartHere let cities

        #expect(shown.values == ["Rome", "Bergen"])
        #expect(component.state.city == "Bergen")
    }

    @Test func thePartsMakeAWhole() async {
        let component = Component(
            initialState: App(), environment: Weather { city in city.count }, dispatcher: app)
        component.send(.count(3))
        await component.send(.forecast(.show(city: "Rome"))).finish()
        #expect(component.state == App(forecast: Forecast(city: "Rome", degrees: 4), count: 3))
    }
}

@Suite("Start here: testing", .timeLimit(.minutes(10)))
struct StartHereTestingTests {
    //@block FunctionalArchitecture/StartHere @Test func showingACityLoadsItsDegrees()

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
        #expect(try PackageFolder.text(of: "README.md").contains("```text\n\(message)\n```"))
    }

    @Test func aTraceShowsWhatHappened() {
        let log = Log()
        @Sendable func print(_ text: Any) { log.append("\(text)") }

        //@block FunctionalArchitecture/StartHere let events

        #expect(log.lines.count == 4)
    }
}

@Suite("Start here: laws", .timeLimit(.minutes(10)))
struct StartHereLawTests {
    //@block FunctionalArchitecture/StartHere @Test(arguments
}
