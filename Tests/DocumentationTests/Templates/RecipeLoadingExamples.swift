// The code of the recipe for loading, retrying, and showing an error.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipeLoading struct Report

//@block Dispatcher/RecipeLoading struct ForecastService

@Suite("The recipe for loading, retrying, and showing an error", .timeLimit(.minutes(10)))
struct RecipeLoadingExampleTests {
    private struct Offline: Error {}

    //@block Dispatcher/RecipeLoading func drive

    //@block Dispatcher/RecipeLoading @Test func aRefreshLoadsTheShownCity()

    //@block Dispatcher/RecipeLoading @Test func aFailureIsShownAfterTwoRetries()

    //@block Dispatcher/RecipeLoading @Test func aLaterCityReplacesTheRequest()

    @Test func `the component of the article loads the report of its first city`() async {
        let report: @Sendable (String) async throws -> Report = { city in Report(city: city, degrees: city.count) }

        //@block Dispatcher/RecipeLoading let component

        await component.send(.refresh).finish()
        #expect(
            component.state == ForecastScreen(city: "Oslo", report: Report(city: "Oslo", degrees: 4)))
    }

    @Test func `a second attempt shows its report, and a failure leaves the last one`() {
        let (time, calls) = (VirtualScheduler(), Recorder())
        let attempts = Ref(0)
        let test = drive(time, calls) { city in
            let attempt = attempts.modify { attempts in
                attempts += 1
                return attempts
            }
            if attempt != 2 { throw Offline() }
            return Report(city: city, degrees: 21)
        }

        let first = test.send(.refresh) { $0.isLoading = true }
        test.expectCall("report", "Oslo")
        test.advance(by: .seconds(1))
        test.expectCall("report", "Oslo")
        test.change(from: first) {
            $0.report = Report(city: "Oslo", degrees: 21)
            $0.isLoading = false
        }
        let second = test.send(.show(city: "Rome")) {
            $0.city = "Rome"
            $0.isLoading = true
        }
        for seconds in 1...2 {
            test.expectCall("report", "Rome")
            test.advance(by: .seconds(seconds))
        }
        test.expectCall("report", "Rome")
        test.change(from: second) {
            $0.failure = "Offline()"
            $0.isLoading = false
        }
        #expect(test.state.report == Report(city: "Oslo", degrees: 21))
        test.finish()
    }

    @Test func `a later city replaces a request that waits to be repeated`() {
        let (time, calls) = (VirtualScheduler(), Recorder())
        let test = drive(time, calls) { city in
            if city == "Rome" { throw Offline() }
            return Report(city: city, degrees: 21)
        }

        test.send(.show(city: "Rome")) { $0.load("Rome") }
        test.expectCall("report", "Rome")
        let pisa = test.send(.show(city: "Pisa")) { $0.load("Pisa") }
        test.expectCall("report", "Pisa")
        test.change(from: pisa) { $0.show(Report(city: "Pisa", degrees: 21)) }
        test.advance(by: .seconds(9))
        test.finish()
    }

    /// Each city has a report that arrives after its own delay, so that reports come in any order.
    @Test func `in each order, the last city is shown`() async {
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let component = Component(
                initialState: ForecastScreen(city: "Oslo"),
                environment: { state in
                    ForecastService(
                        city: { state().city },
                        report: { city in
                            try await time.clock.sleep(for: .milliseconds(city == "Rome" ? 900 : 100))
                            return Report(city: city, degrees: 21)
                        })
                },
                executor: time.executor, dispatcher: forecastScreen(clock: time.clock))
            for city in ["Rome", "Pisa"] {
                component.send(.show(city: city))
                time.advance(by: .milliseconds(50))
            }
            time.advance(by: .seconds(9))
            #expect(
                component.state == ForecastScreen(city: "Pisa", report: Report(city: "Pisa", degrees: 21)))
        }
    }

    @Test func `a handled error does not end the workflow`() async {
        struct Disk: Sendable { var write: @Sendable (String) async throws -> Void }
        struct Draft: Equatable, Sendable { var isSaved = false, failure: String? }

        //@block Dispatcher/RecipeLoading var wrong

        //@block Dispatcher/RecipeLoading var saving

        for (dispatcher, isSaved) in [(wrong, true), (saving, false)] {
            let component = Component(
                initialState: Draft(), environment: Disk { _ in throw Offline() }, dispatcher: dispatcher)
            await component.send("text").finish()
            #expect(component.state == Draft(isSaved: isSaved, failure: "Offline()"))
        }
        let component = Component(initialState: Draft(), environment: Disk { _ in }, dispatcher: saving)
        await component.send("text").finish()
        #expect(component.state == Draft(isSaved: true))
    }

    @Test(arguments: [false, true])
    func `a policy has the same effect before and after an error handler`(_ handlesFirst: Bool) async {
        let gate = Gate()
        let requests = StateDispatcher<Gate, [String], String>.effectful { text in
            EnvIO { gate in
                if text == "slow" { await gate.pass() }
                if text == "bad" { throw Offline() }
                return .update { $0.append(text) }
            }
        }
        let report: @Sendable (any Error, String) -> State<[String], Void> = { error, _ in
            .update { $0.append("\(error)") }
        }
        let component = Component(
            initialState: [], environment: gate,
            dispatcher: handlesFirst
                ? requests.handleError(report).policy(.latest) : requests.policy(.latest).handleError(report))
        let slow = component.send("slow")
        await component.send("bad").finish()
        await component.send("good").finish()
        await gate.open()
        await slow.finish()
        #expect(component.state == ["Offline()", "good"])
        #expect(slow.isCancelled)
    }
}
