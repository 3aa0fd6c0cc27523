// The code of the article on looking at what happened.

import Dispatcher
import Foundation
import FunctionalCore
import Testing
import VirtualTime

@Suite("The article on looking at what happened", .timeLimit(.minutes(10)))
struct LookingAtWhatHappenedExampleTests {
    /// The events if the answer takes 1.2 seconds.
    private func events() -> [TraceEvent] {
        let (time, events) = (VirtualScheduler(), TraceBuffer())
        let api = FeedAPI { id in
            try await time.clock.sleep(for: .milliseconds(1_200))
            return "post \(id)"
        }
        let component = Component(
            initialState: Feed(), environment: api, executor: time.executor,
            trace: Trace(to: events, clock: time.clock), dispatcher: feed)
        component.send(5)
        time.advance(by: .seconds(2))
        return withExtendedLifetime(component) { events.all }
    }

    @Test func `the article contains the text of the events`() throws {
        let article = try PackageFolder.text(of: "Sources/FunctionalCore/Documentation.docc/LookingAtWhatHappened.md")
        let text = events().map(\.description).joined(separator: "\n")
            .replacing("DocumentationTests.", with: "App.")
        #expect(article.contains("```text\n\(text)\n```"), "\(text)")
    }

    @Test func `the causes of the last change lead to the input`() throws {
        let events = events()
        let change = try #require(events.last { $0.difference != nil })
        let kinds = causes(of: change, among: events).map { "\($0.kind)".prefix { $0 != "(" } }
        #expect(kinds == ["changed", "started", "received"])
        #expect(causes(of: change, among: events).last?.id == change.root)
    }

    @Test func `the events are printed`() async throws {
        try await printWhatHappens(loading: 5, from: FeedAPI { "post \($0)" })
    }

    @Test func secrets() {
        struct Login: Sendable {
            var password = "secret"
        }
        struct Session: Sendable {}
        let events = TraceBuffer()
        //@block FunctionalCore/LookingAtWhatHappened let trace
        let tracer = Tracer(trace, owner: Int.self)
        #expect(tracer.redacted(Login()).description == #"Login(password: "…")"#)
        #expect(tracer.redacted(Session()).description == "‹Session omitted›")
    }
}

//@block FunctionalCore/LookingAtWhatHappened struct Feed

//@block FunctionalCore/LookingAtWhatHappened func causes
