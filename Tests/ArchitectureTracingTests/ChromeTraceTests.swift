import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("The trace-event format of Chrome", .timeLimit(.minutes(10)))
struct ChromeTraceTests {
    /// A message that starts a work, whose message comes from a task of another thread.
    private static func story(_ tracer: Tracer, _ clock: VirtualClock) {
        tracer.record(.created(state: TraceValue(Screen())))
        tracer.process(Input.load(1), from: tracer.origin { nil }) {
            tracer.record(.changed(from: TraceValue(Screen()), to: TraceValue(Screen(isLoading: true)), observers: 1))
            let work = tracer.begin(Input.load(1), .action)
            work.suspend()
            clock.advance(by: .microseconds(1_500))
            TraceCause.$current.withValue(work.cause) {
                tracer.process(Input.note("a"), from: tracer.origin { .observer }) {}
            }
            work.end()
        }
    }

    @Test("Messages are slices, works are asynchronous events, and arrows connect causes and messages")
    func golden() throws {
        let file = try ChromeFile(ChromeTrace(recorded(Self.story)).data)
        #expect(
            file.events.map(\.summary) == [
                "M process_name 1/1 Screen #1", "M thread_name 1/1 thread 1",
                "i created 1/1 at 0.0 s=p",
                "B load(1) 1/1 at 0.0", "s cause 1/1 at 0.0 id=6",
                "i changed 1/1 at 0.0 s=t",
                "b load(1) 1/1 at 0.0 id=4", "n suspended 1/1 at 0.0 id=4",
                "B note(\"a\") 1/1 at 1500.0", "f cause 1/1 at 1500.0 id=6 bp=e", "E note(\"a\") 1/1 at 1500.0",
                "e load(1) 1/1 at 1500.0 id=4",
                "E load(1) 1/1 at 1500.0",
            ])
        file.checkFormat()
    }

    @Test("The arguments are those of the record, with the changes of a state and not the whole state")
    func arguments() throws {
        let file = try ChromeFile(ChromeTrace(recorded(Self.story)).data)
        let changed = try #require(file.events.first { $0.name == "changed" }?.arguments)
        #expect(changed["state"] == nil)
        #expect((changed["changes"] as? [[String: Any]])?.map { $0["to"] as? String } == ["true"])
        let received = try #require(file.events.first { $0.name == "note(\"a\")" }?.arguments)
        #expect(received["message"] as? String == "note(\"a\")")
        #expect(received["cause"] as? Int == 4)
        #expect(received["source"] as? String == "observer")
    }

    @Test("A gap of a file is an instant of the whole page")
    func gaps() throws {
        let line =
            #"{"id":7,"kind":"gap","missingEvents":5,"owner":{"name":"A","number":1},"root":7,"thread":1,"time":2}"#
        let lines = try JSONLines(decoding: Data(line.utf8))
        #expect(lines.text == line + "\n")
        #expect(
            try ChromeFile(ChromeTrace(lines).data).events.map(\.summary).last
                == "i 5 events are missing 1/1 at 2000000.0 s=g")
    }

    @Test("A message whose begin or end is in a gap opens and closes no slice")
    func gapsInSlices() throws {
        func line(_ id: Int, _ rest: String) -> String {
            #"{"id":\#(id),"owner":{"name":"A","number":1},"root":1,"thread":1,"time":0,\#(rest)}"#
        }
        let lines = [
            line(1, #""kind":"received","message":"no end""#), line(3, #""kind":"gap","missingEvents":2"#),
            line(4, #""kind":"received","message":"whole""#), line(5, #""kind":"handled","messageID":4"#),
            line(6, #""kind":"handled","messageID":3"#),
        ]
        let events = try ChromeFile(ChromeTrace(JSONLines(decoding: Data(lines.joined(separator: "\n").utf8))).data)
            .events
        #expect(
            events.map(\.summary).suffix(4) == [
                "i no end 1/1 at 0.0 s=t", "i 2 events are missing 1/1 at 0.0 s=g", "B whole 1/1 at 0.0",
                "E whole 1/1 at 0.0",
            ])
    }

    @Test("A time that no trace has is limited", arguments: [(1e300, 1e15), (-1e300, -1e15)])
    func times(time: Double, written: Double) throws {
        let line = #"{"id":1,"kind":"closed","owner":{"name":"A","number":1},"root":1,"thread":1,"time":\#(time)}"#
        let events = try ChromeFile(ChromeTrace(JSONLines(decoding: Data(line.utf8))).data).events
        #expect(events.last?.summary.hasPrefix("i closed 1/1 at \(written)") == true)
    }

    @Test("An event of each kind has the fields that its phase requires")
    func kinds() throws {
        let file = try ChromeFile(
            ChromeTrace(recorded { tracer, _ in for kind in TraceEvent.Kind.all { tracer.record(kind) } }).data)
        file.checkFormat()
        #expect(
            file.events.map(\.name).suffix(7) == [
                "load(5)", "failed: Unreachable()", "recovered: Unreachable()", "delayed: load(5)", "dropped: load(5)",
                "endless chain", "closed",
            ])
    }

    @Test("A long text is cut in a name, and complete in the arguments")
    func longTexts() throws {
        let text = String(repeating: "é", count: 1_000)
        let file = try ChromeFile(
            ChromeTrace(recorded { tracer, _ in tracer.record(.received(TraceValue(text), from: .caller)) }).data)
        #expect(file.events.last?.name == String(repeating: "é", count: 60) + "…")
        #expect(file.events.last?.arguments["message"] as? String == text)
    }

    @Test("Ends without a beginning are omitted, and the file is well formed from every event on")
    func missingBeginnings() throws {
        let events = recorded(Self.story)
        for first in events.indices {
            let file = try ChromeFile(ChromeTrace(events[first...]).data)
            file.checkFormat()
        }
        let end = try ChromeFile(ChromeTrace(events.suffix(2)).data)
        #expect(end.events.map(\.phase) == ["M", "M"])
    }

    @Test("Threads have small numbers, and each owner is a process", .promptly)
    func threads() throws {
        let events = TraceBuffer()
        let trace = Trace(to: events)
        onThreads(4) { _ in
            let tracer = Tracer(trace, owner: Screen.self)
            for number in 0..<50 {
                tracer.process(Input.load(number), from: tracer.origin { nil }) {
                    tracer.record(.dropped(TraceValue(1), because: .cancelled))
                }
            }
        }
        let file = try ChromeFile(ChromeTrace(events.all.shuffled()).data)
        file.checkFormat()
        #expect(Set(file.events.map(\.process)) == [1, 2, 3, 4])
        #expect(file.events.allSatisfy { (1...4).contains($0.thread) })
        let names = file.events.filter { $0.name == "process_name" }.compactMap { $0.arguments["name"] as? String }
        #expect(Set(names) == ["Screen #1", "Screen #2", "Screen #3", "Screen #4"])
    }

    @Test("A trace of a component can be converted from its JSON lines")
    func components() throws {
        enum Step: Sendable { case start, next, last }
        let dispatcher = StateDispatcher<Void, [String], Step>.pure { step in .update { $0.append("\(step)") } }
        let (events, clock) = (TraceBuffer(), VirtualClock())
        let component = Component(
            initialState: [], environment: (), trace: Trace(to: events, clock: clock), dispatcher: dispatcher)
        let registration = component.observe { steps in
            clock.advance(by: .milliseconds(1))
            if steps.count == 1 { component.send(.next) }
            if steps.count == 2 { component.send(.last) }
        }
        component.send(.start)
        registration.cancel()
        let trace = ChromeTrace(try JSONLines(decoding: JSONLines(events.all).data))
        let file = try ChromeFile(trace.data)
        file.checkFormat()
        #expect(file.events.filter { $0.phase == "B" }.map(\.name) == ["start", "next", "last"])
        #expect(file.events.filter { $0.phase == "s" }.count == 2)
        #expect(trace.data == ChromeTrace(events.all).data)
    }

    @Test("A cycle of causes, which no trace has, is not followed")
    func cycles() throws {
        let line = #""root":1,"thread":1,"owner":{"name":"A","number":1},"time":"#
        let lines = """
            {"id":1,"cause":2,"kind":"started",\(line)0}
            {"id":2,"cause":1,"kind":"started",\(line)0}
            {"id":3,"cause":2,"kind":"received",\(line)1}
            """
        let file = try ChromeFile(ChromeTrace(JSONLines(decoding: Data(lines.utf8))).data)
        #expect(file.events.map(\.phase) == ["M", "M", "b", "b", "B"])
    }

    private func chain(of count: Int) -> [TraceEvent] {
        let events = TraceBuffer(capacity: .max)
        let tracer = Tracer(Trace(to: events), owner: Screen.self)
        tracer.process(0, from: tracer.origin { nil }) {
            var cause = TraceCause.current
            for number in 1...count {
                TraceCause.$current.withValue(cause) {
                    cause = tracer.begin(number, .action).cause
                    TraceCause.$current.withValue(cause) {
                        tracer.record(.received(TraceValue(number), from: .action))
                    }
                }
            }
        }
        return events.all
    }

    @Test("A long chain of works, each of which sends a message, is written in linear time", .countsSteps)
    func longChains() {
        let exponent = growth(from: 100, to: 1_600) { count in
            let events = chain(of: count)
            return steps { #expect(ChromeTrace(events).data.count > count) }
        }
        #expect(exponent < 1.1)
    }

    @Test("Writing creates a file with the object")
    func files() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "trace.json")
        try ChromeTrace(recorded(Self.story)).write(to: file)
        #expect(try ChromeFile(Data(contentsOf: file)).events.count == 13)
    }
}
