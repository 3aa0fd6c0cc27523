// The code of the article on tracing a loop, and of comments.

import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

@Suite("The article on tracing a loop", .timeLimit(.minutes(10)))
struct TracingALoopExampleTests {
    struct Search: Equatable {
        var text = ""
        var results: [String] = []
    }
    enum SearchEvent: Equatable {
        case typed(String)
        case found([String])
    }
    enum SearchEffect: Equatable { case search(String) }

    @Test func theRootOfAnAnswerIsTheQuestion() async throws {
        let searching = Update<Search, SearchEvent, SearchEffect> { search, event in
            switch event {
            case .typed(let text): .next(Search(text: text), effects: [.search(text)])
            case .found(let results): .next(Search(text: search.text, results: results))
            }
        }
        let handler = EffectRouter<SearchEffect, SearchEvent>()
            .routeCase(SearchEffect.search).toEvent { text async -> SearchEvent? in .found([text + "ift"]) }

        //@block Loop/TracingALoop let events

        let received = question.map { event in
            if case .received(let message, from: .caller) = event.kind { "\(message)" } else { "" }
        }
        #expect(received == #"typed("sw")"#)
        loop.dispose()
    }

    /// The comment of `withTrace`.
    @Test func aTraceOfACounter() {
        enum Event { case increment }
        let update = Update<Int, Event, Never> { count, _ in .next(count + 1) }
        let effectHandler = EffectRouter<Never, Event>()
        let log = Log()
        @Sendable func print(_ event: TraceEvent) { log.append("\(event.id)") }

        let events = TraceBuffer()
        let loop = Mobius.loop(update: update, effectHandler: effectHandler)
            .withTrace(Trace(to: events))
            .start(from: 2)
        loop.dispatchEvent(.increment)
        for event in events.all { print(event) }
        loop.dispose()

        #expect(log.lines == ["1", "2", "3", "4"])
    }

    /// The comment of `withExecutor`.
    @Test func aLoopInVirtualTime() {
        @Sendable func ticks(of clock: VirtualClock) -> AsyncThrowingStream<Int, any Error> {
            AsyncThrowingStream(unfolding: { () async throws -> Int? in
                try await clock.sleep(for: .seconds(1))
                return 1
            })
        }

        let scheduler = VirtualScheduler()
        let loop = Mobius.beginnerLoop { (count: Int, step: Int) in count + step }
            .withEventSource { ticks(of: scheduler.clock) }
            .withExecutor(scheduler.executor)
            .start(from: 0)
        scheduler.advance(by: .seconds(3))

        #expect(loop.latestModel == 3)
        loop.dispose()
        scheduler.drain()
    }
}
