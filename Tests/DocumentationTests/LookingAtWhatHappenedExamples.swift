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
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = root.appending(path: "Sources/FunctionalCore/Documentation.docc/LookingAtWhatHappened.md")
        let article = try String(contentsOf: file, encoding: .utf8)
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
        let trace = Trace(to: events)
            .redacting(Login.self) { $0.password = "…" }
            .omitting(Session.self)
        let tracer = Tracer(trace, owner: Int.self)
        #expect(tracer.redacted(Login()).description == #"Login(password: "…")"#)
        #expect(tracer.redacted(Session()).description == "‹Session omitted›")
    }
}

struct Feed: Sendable {
    var posts: [String] = []
    var isLoading = false
}

struct FeedAPI: Sendable {
    var load: @Sendable (Int) async throws -> String
}

let feed = StateDispatcher<FeedAPI, Feed, Int>.workflow { id in
    [
        .pure(.update { $0.isLoading = true }),
        EnvIO { api in
            let post = try await api.load(id)
            return .update { feed in
                feed.posts.append(post)
                feed.isLoading = false
            }
        },
    ]
}

func printWhatHappens(loading id: Int, from api: FeedAPI) async throws {
    let events = TraceBuffer()
    let component = Component(
        initialState: Feed(), environment: api, trace: Trace(to: events), dispatcher: feed)
    component.send(id)
    try await component.settled()
    for event in events.all { print(event) }
}

private func causes(of event: TraceEvent, among events: [TraceEvent]) -> [TraceEvent] {
    let eventsByNumber = Dictionary(uniqueKeysWithValues: events.map { ($0.id, $0) })
    return Array(sequence(first: event) { event in event.cause.flatMap { eventsByNumber[$0] } })
}
