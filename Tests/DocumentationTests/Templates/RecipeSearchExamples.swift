// The code of the recipe for a debounced search.

import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipeSearch struct SearchService

//@block Dispatcher/RecipeSearch typealias SearchDispatcher

//@block Dispatcher/RecipeSearch enum SearchEvent

//@block Dispatcher/RecipeSearch struct SearchTyped

@Suite("The recipe for a debounced search", .timeLimit(.minutes(10)))
struct RecipeSearchExampleTests {
    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearch()

    //@block Dispatcher/RecipeSearch @Test func anOldResultIsNotShown()

    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearchOfTheLoop()

    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearchOfTheStore()

    private struct Offline: Error {}

    @Test func `a failure is shown, and the next text removes it`() {
        let time = VirtualScheduler()
        let service = SearchService(results: { text in
            if text == "x" { throw Offline() }
            return [text]
        })
        let test = TestDriver(search(clock: time.clock), state: SearchScreen(), environment: service, time: time)

        let first = test.send("x") { $0.edit("x") }
        test.advance(by: .milliseconds(300))
        test.change(from: first) { $0.fail("Offline()", for: "x") }
        let second = test.send("xy") { $0.edit("xy") }
        #expect(test.state.failure == nil)
        test.advance(by: .milliseconds(300))
        test.change(from: second) { $0.show(["xy"], for: "xy") }
        test.finish()
    }

    /// Each text has a result that arrives after its own delay, so that results come in any order.
    @Test func `in each order, the last text is shown`() async {
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let service = SearchService(results: { text in
                try await time.clock.sleep(for: .milliseconds(text == "a" ? 900 : 100))
                return [text]
            })
            let component = Component(
                initialState: SearchScreen(), environment: service, executor: time.executor,
                dispatcher: search(clock: time.clock))
            for text in ["a", "ab"] {
                component.send(text)
                time.advance(by: .milliseconds(400))
            }
            time.advance(by: .seconds(2))
            #expect(component.state == SearchScreen(text: "ab", results: ["ab"]))
        }
    }
}
