// The code of the article on testing a loop.

import ArchitectureTesting
import FunctionalCore
import Loop
import Testing
import VirtualTime

@Suite("The article on testing a loop", .timeLimit(.minutes(10)))
struct TestingALoopExampleTests {
    struct Search: Equatable, Mobius.Copyable {
        var text = ""
        var results: [String] = []
    }
    enum SearchEvent: Equatable {
        case typed(String)
        case found([String])
    }
    enum SearchEffect: Equatable { case search(String) }

    let searching = Update<Search, SearchEvent, SearchEffect> { search, event in
        switch event {
        case .typed(let text): .next(search.copy { $0.text = text }, effects: [.search(text)])
        case .found(let results): .next(search.copy { $0.results = results })
        }
    }

    func searchHandler(
        clock: any Clock<Duration>, executor: (any TaskExecutor)?, find: @escaping @Sendable (String) async -> [String]
    ) -> EffectRouter<SearchEffect, SearchEvent> {
        EffectRouter(executor: executor)
            .routeCase(SearchEffect.search).policy(.debounce(for: .seconds(1), clock: clock))
            .toEvent { text in .found(await find(text)) }
    }

    @Test func typingSearches() {
        UpdateSpec(searching)
            .given(Search())
            .when(.typed("s"), .typed("sw"))
            .then(assertThatNext(hasModel(Search(text: "sw")), hasOnlyEffects([.search("sw")])))
    }

    @Test func theHandlerWaitsForTheLastText() {
        let scheduler = VirtualScheduler()
        let handler = searchHandler(clock: scheduler.clock, executor: scheduler.executor) { text in [text] }
        let spec = HandlerSpec.given(handler).when(.search("s")).when(.search("sw"))
        spec.expect()
        scheduler.advance(by: .seconds(1))
        spec.expect(.found(["sw"]))
    }

    @Test func theLoopShowsWhatItFinds() throws {
        let scheduler = VirtualScheduler()
        let handler = searchHandler(clock: scheduler.clock, executor: scheduler.executor) { text in [text + "ift"] }
        let loop = Mobius.loop(update: searching, effectHandler: handler).start(from: Search())
        loop.dispatchEvent(.typed("s"))
        loop.dispatchEvent(.typed("sw"))
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == Search(text: "sw", results: ["swift"]))
        #expect(scheduler.clock.now.offset == .seconds(1))
    }
}
