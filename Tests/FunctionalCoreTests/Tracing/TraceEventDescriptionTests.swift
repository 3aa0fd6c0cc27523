import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("Texts of trace events", .timeLimit(.minutes(10)))
struct TraceEventDescriptionTests {
    struct Screen: Sendable {
        var title = "Feed"
        var posts = ["a", "b", "c", "d", "e", "f", "g", "h"]
        var isLoading = false
    }

    enum Input: Sendable {
        case load(Int)
        case note(String)
    }

    struct Unreachable: Error {}

    private func texts(_ kinds: [TraceEvent.Kind]) -> [String] {
        let events = TraceBuffer()
        let tracer = Tracer(Trace(to: events, clock: VirtualClock()), owner: Screen.self)
        for kind in kinds { tracer.record(kind) }
        return events.all.map(\.description).map { $0.replacing("TraceEventDescriptionTests.", with: "") }
    }

    @Test("Each event has a text in one line")
    func lines() {
        let load = TraceValue(Input.load(5))
        let error = TraceValue(Unreachable())
        let events: [(TraceEvent.Kind, String)] = [
            (.created(state: TraceValue(7)), "was created with 7"),
            (.created(state: nil), "was created"),
            (.received(load, from: .caller), "received load(5) from the caller"),
            (.received(load, from: .observer), "received load(5) from an observer"),
            (.received(load, from: .action), "received load(5) from an action"),
            (.received(load, from: .subscription), "received load(5) from a subscription"),
            (.received(load, from: .effect), "received load(5) from an effect"),
            (.received(load, from: .eventSource), "received load(5) from an event source"),
            (.received(load, from: .middleware), "received load(5) from a middleware"),
            (.received(load, from: .transition), "received load(5) from a transition"),
            (.received(load, from: .elsewhere), "received load(5) from elsewhere"),
            (.handled(message: 3), "handled #3"),
            (.changed(from: nil, to: nil, observers: 0), "changed, for 0 observers"),
            (.changed(from: nil, to: nil, observers: 1), "changed, for 1 observer"),
            (.started(load, .action), "started an action for load(5)"),
            (.suspended(work: 15), "suspended #15"),
            (.ended(work: 15), "ended #15"),
            (.cancelled(work: 15), "cancelled #15"),
            (.failed(work: 15, error: error), "failed in #15: Unreachable()"),
            (.failed(work: nil, error: error), "failed: Unreachable()"),
            (.recovered(from: error, as: .value(nil)), "recovered from Unreachable() with a value"),
            (.recovered(from: error, as: .value(load)), "recovered from Unreachable() with the value load(5)"),
            (.recovered(from: error, as: .failure(load)), "recovered from Unreachable() with the failure load(5)"),
            (.recovered(from: error, as: .fallback), "recovered from Unreachable() with a fallback"),
            (.recovered(from: error, as: .retry(after: .zero)), "recovered from Unreachable() with another attempt"),
            (
                .recovered(from: error, as: .retry(after: .milliseconds(1500))),
                "recovered from Unreachable() with another attempt after 1.5 seconds"
            ),
            (.decided(.starts, load), "decided that load(5) starts"),
            (.decided(.waits, load), "decided that load(5) waits"),
            (.decided(.delayed, load), "decided that load(5) is delayed"),
            (.decided(.dropped, load), "decided that load(5) is dropped"),
            (.decided(.replaced, load), "decided that load(5) is replaced"),
            (.dropped(load, because: .cancelled), "dropped load(5), which was cancelled"),
            (.dropped(load, because: .ended), "dropped load(5), whose owner or sender had ended"),
            (.dropped(load, because: .endlessChain), "dropped load(5), whose chain was stopped"),
            (.dropped(load, because: .absent), "dropped load(5), whose child was absent"),
            (.endlessChain([load, load]), "has an endless chain: load(5) → load(5)"),
            (.closed, "was closed"),
        ]
        let expected = events.enumerated().map { "#\($0 + 1) 0.000 s Screen #1 \($1.1)" }
        #expect(texts(events.map(\.0)) == expected)
    }

    @Test("A change shows how the states differ, and folds equal lines")
    func changes() {
        var changed = Screen()
        changed.isLoading = true
        #expect(
            texts([.changed(from: TraceValue(Screen()), to: TraceValue(changed), observers: 2)]) == [
                """
                #1 0.000 s Screen #1 changed, for 2 observers
                      … 8 equal lines
                          - "f"
                          - "g"
                          - "h"
                    −   - isLoading: false
                    +   - isLoading: true
                """
            ])
    }

    @Test("Only a change with snapshots has a difference, which is empty if the states look alike")
    func differences() {
        let events = TraceBuffer()
        let tracer = Tracer(Trace(to: events, clock: VirtualClock()), owner: Screen.self)
        tracer.record(.changed(from: TraceValue(1), to: TraceValue(2), observers: 0))
        tracer.record(.changed(from: TraceValue(1), to: TraceValue(1), observers: 0))
        tracer.record(.changed(from: nil, to: nil, observers: 0))
        tracer.record(.closed)
        #expect(events.all.map(\.difference) == [["− - 1", "+ - 2"], [], nil, nil])
    }

    @Test("The text of a value contains no place in memory")
    func privateTypes() {
        enum Page: Sendable { case blank }
        struct State: Sendable { var page = Page.blank }
        #expect("\(State())".contains("(unknown context at $"))
        #expect(
            TraceValue(State()).description
                == "State(page: FunctionalCoreTests.TraceEventDescriptionTests.Page.blank)")
    }

    @Test("Nothing else is removed from a text")
    func placesInMemory() async {
        let pieces = [
            "(unknown context at $", "1f0", "F", ").", ")", "(", "é", "\n", "A.", "(unknown context at $7fff12).B",
        ]
        await forAll(Gen.element(of: pieces).array(0...8)) { pieces in
            let text = pieces.joined()
            let expected = text.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
            #expect(TraceValue(text).description == expected)
        }
    }

    @Test("The line of an event has its cause and its time, and contains no line break")
    func causes() {
        let (events, clock) = (TraceBuffer(), VirtualClock())
        let tracer = Tracer(Trace(to: events, clock: clock), owner: Screen.self)
        clock.advance(by: .milliseconds(1_203))
        tracer.process(Input.note("a\nb\r\n\nc"), from: tracer.origin { nil }) {
            clock.advance(by: .microseconds(59_007_999))
            tracer.begin(Input.load(1), .action).end()
        }
        #expect(
            events.all.map(\.description) == [
                #"#1 1.203 s Screen #1 received note("a\nb\r\n\nc") from the caller"#,
                "#2 ← #1 60.210 s Screen #1 started an action for load(1)",
                "#3 ← #2 60.210 s Screen #1 ended #2",
                "#4 ← #1 60.210 s Screen #1 handled #1",
            ])
        #expect(
            texts([.dropped(TraceValue("a\nb\r\n\nc"), because: .cancelled)]) == [
                #"#1 0.000 s Screen #1 dropped a\nb\n\nc, which was cancelled"#
            ])
    }
}
