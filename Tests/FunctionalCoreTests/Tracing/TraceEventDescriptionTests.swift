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
        #expect(
            texts([
                .created(state: TraceValue(7)), .created(state: nil),
                .received(load, from: .caller), .received(load, from: .observer), .received(load, from: .action),
                .received(load, from: .subscription), .received(load, from: .effect),
                .received(load, from: .eventSource), .received(load, from: .middleware),
                .received(load, from: .transition), .received(load, from: .elsewhere),
                .handled(message: 3),
                .changed(from: nil, to: nil, observers: 0), .changed(from: nil, to: nil, observers: 1),
                .started(load, .action), .suspended(work: 15), .ended(work: 15), .cancelled(work: 15),
                .failed(work: 15, error: TraceValue(Unreachable())),
                .failed(work: nil, error: TraceValue(Unreachable())),
                .decided(.starts, load), .decided(.waits, load), .decided(.delayed, load), .decided(.dropped, load),
                .decided(.replaced, load),
                .dropped(load), .endlessChain([load, load]), .closed,
            ]) == [
                "#1 0.000 s Screen #1 was created with 7",
                "#2 0.000 s Screen #1 was created",
                "#3 0.000 s Screen #1 received load(5) from the caller",
                "#4 0.000 s Screen #1 received load(5) from an observer",
                "#5 0.000 s Screen #1 received load(5) from an action",
                "#6 0.000 s Screen #1 received load(5) from a subscription",
                "#7 0.000 s Screen #1 received load(5) from an effect",
                "#8 0.000 s Screen #1 received load(5) from an event source",
                "#9 0.000 s Screen #1 received load(5) from a middleware",
                "#10 0.000 s Screen #1 received load(5) from a transition",
                "#11 0.000 s Screen #1 received load(5) from elsewhere",
                "#12 0.000 s Screen #1 handled #3",
                "#13 0.000 s Screen #1 changed, for 0 observers",
                "#14 0.000 s Screen #1 changed, for 1 observer",
                "#15 0.000 s Screen #1 started an action for load(5)",
                "#16 0.000 s Screen #1 suspended #15",
                "#17 0.000 s Screen #1 ended #15",
                "#18 0.000 s Screen #1 cancelled #15",
                "#19 0.000 s Screen #1 failed in #15: Unreachable()",
                "#20 0.000 s Screen #1 failed: Unreachable()",
                "#21 0.000 s Screen #1 decided that load(5) starts",
                "#22 0.000 s Screen #1 decided that load(5) waits",
                "#23 0.000 s Screen #1 decided that load(5) is delayed",
                "#24 0.000 s Screen #1 decided that load(5) is dropped",
                "#25 0.000 s Screen #1 decided that load(5) is replaced",
                "#26 0.000 s Screen #1 dropped load(5)",
                "#27 0.000 s Screen #1 has an endless chain: load(5) → load(5)",
                "#28 0.000 s Screen #1 was closed",
            ])
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
        #expect(texts([.dropped(TraceValue("a\nb\r\n\nc"))]) == [#"#1 0.000 s Screen #1 dropped a\nb\n\nc"#])
    }
}
