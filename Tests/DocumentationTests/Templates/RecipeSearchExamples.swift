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

//@block Dispatcher/RecipeSearch extension SearchScreen

//@block Dispatcher/RecipeSearch enum SearchEvent

//@block Dispatcher/RecipeSearch struct SearchTyped

//@block Dispatcher/RecipeSearch func debouncedSearching

@Suite("The recipe for a debounced search", .timeLimit(.minutes(10)))
struct RecipeSearchExampleTests {
    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearch()

    //@block Dispatcher/RecipeSearch @Test func anOldResultIsNotShown()

    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearchOfTheLoop()

    //@block Dispatcher/RecipeSearch @Test func aPauseStartsOneSearchOfTheStore()

    //@block Dispatcher/RecipeSearch @Test func aNewTextCancelsTheOldSearch()

    /// The counterpart of the test in the article, with the operator instead of the policy.
    @Test func `with debounce, the old answer of a store arrives during the pause`() {
        let time = VirtualScheduler()
        let service = SearchService(results: { text in
            try await time.clock.sleep(for: .milliseconds(400))
            return [text]
        })
        let test = TestStore(
            reducer: searchReducer, state: SearchScreen(), environment: service,
            effects: [debouncedSearching(clock: time.clock)], time: time)

        test.send(SearchTyped(text: "owl")) { $0.edit("owl") }
        test.advance(by: .milliseconds(600))
        test.send(SearchTyped(text: "owls")) { $0.edit("owls") }
        test.advance(by: .milliseconds(100))
        test.receive(SearchFound(results: ["owl"], text: "owl"))
        test.advance(by: .milliseconds(600))
        test.receive(SearchFound(results: ["owls"], text: "owls")) { $0.show(["owls"], for: "owls") }
        test.finish()
    }

    @Test func `with debounce, the old change of a dispatcher is committed during the pause`() {
        let time = VirtualScheduler()
        let finding = SearchDispatcher.effectful { text in
            EnvIO { service in
                let results = try await service.results(text)
                return .update { $0.results = results }
            }
        }
        let service = SearchService(results: { text in
            try await time.clock.sleep(for: .milliseconds(400))
            return [text]
        })
        let test = TestDriver(
            finding.policy(.debounce(for: .milliseconds(300), clock: time.clock)), state: SearchScreen(),
            environment: service, time: time)

        let owl = test.send("owl")
        test.advance(by: .milliseconds(600))
        let owls = test.send("owls")
        test.advance(by: .milliseconds(100))
        test.change(from: owl) { $0.results = ["owl"] }
        test.advance(by: .milliseconds(600))
        test.change(from: owls) { $0.results = ["owls"] }
        test.finish()
    }

    private struct Offline: Error {}

    @Test(arguments: [false, true])
    func `a failure is shown, and the next text removes it`(_ isDebounced: Bool) {
        let time = VirtualScheduler()
        let service = SearchService(results: { text in
            if text == "x" { throw Offline() }
            return [text]
        })
        let test = TestDriver(
            isDebounced ? debouncedSearch(clock: time.clock) : search(clock: time.clock), state: SearchScreen(),
            environment: service, time: time)

        let first = test.send("x") { $0.edit("x") }
        test.advance(by: .milliseconds(300))
        test.change(from: first) { $0.fail("Offline()") }
        let second = test.send("xy") { $0.edit("xy") }
        #expect(test.state.failure == nil)
        test.advance(by: .milliseconds(300))
        test.change(from: second) { $0.show(["xy"]) }
        test.finish()
    }

    /// Each text has a result that arrives after its own delay, so that results come in any order.
    @Test(arguments: [false, true])
    func `in each order, the last text is shown`(_ isDebounced: Bool) async {
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let service = SearchService(results: { text in
                try await time.clock.sleep(for: .milliseconds(text == "a" ? 900 : 100))
                return [text]
            })
            let component = Component(
                initialState: SearchScreen(), environment: service, executor: time.executor,
                dispatcher: isDebounced ? debouncedSearch(clock: time.clock) : search(clock: time.clock))
            for text in ["a", "ab"] {
                component.send(text)
                time.advance(by: .milliseconds(400))
            }
            time.advance(by: .seconds(2))
            #expect(component.state == SearchScreen(text: "ab", results: ["ab"]))
        }
    }
}
