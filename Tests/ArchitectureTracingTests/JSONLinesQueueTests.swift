import ArchitectureTracing
import Foundation
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Events that wait for a file", .timeLimit(.minutes(10)))
struct JSONLinesQueueTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let queue = DispatchQueue(label: "JSONLinesQueueTests")

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "trace.jsonl")
    }

    private func tracer(_ writing: JSONLinesFile.Writing) throws -> (JSONLinesFile, Tracer) {
        let file = try JSONLinesFile(at: url, writing: writing, on: queue)
        return (file, Tracer(Trace(to: file), owner: Screen.self))
    }

    private var records: [TraceRecord] {
        // Not `Data(contentsOf:)`: Foundation leaks the buffer if the file is empty.
        get throws { try JSONLines(decoding: FileHandle(forReadingFrom: url).readToEnd() ?? Data()).records }
    }

    @Test("Events are described and written on the queue of the file")
    func background() throws {
        let (file, tracer) = try tracer(.inBackground())
        let log = Log()
        queue.suspend()
        for number in 1...3 {
            tracer.record(.dropped(TraceValue(Described("\(number)", log.append)), because: .cancelled))
        }
        #expect(log.lines == [])
        #expect(try records == [])
        queue.resume()
        file.flush()
        #expect(log.lines == ["1", "2", "3"])
        #expect(try records.map(\.message) == ["1", "2", "3"])
    }

    @Test("The first change after a gap has the whole state, and the next one only what has changed")
    func statesAfterGap() throws {
        let (file, tracer) = try tracer(.inBackground(capacity: 2, overflow: .drop))
        func change(_ isLoading: Bool) {
            tracer.record(
                .changed(
                    from: TraceValue(Screen(isLoading: !isLoading)), to: TraceValue(Screen(isLoading: isLoading)),
                    observers: 0))
        }
        queue.suspend()
        tracer.record(.created(state: TraceValue(Screen())))
        for isLoading in [true, false, true] { change(isLoading) }
        queue.resume()
        file.flush()
        change(false)
        change(true)
        file.close()
        #expect(try records.map(\.kind) == [.created, .changed, .gap, .changed, .changed])
        let screen = #"Screen(title: "Feed", isLoading: false)"#
        #expect(try records.map { $0.state?.description } == [screen, nil, nil, screen, nil])
    }

    @Test("An event that has been written is released")
    func releasing() throws {
        let (file, tracer) = try tracer(.inBackground())
        let witness = Witness()
        weak let released = witness
        do {
            let value = consume witness
            tracer.record(.dropped(TraceValue(value), because: .cancelled))
        }
        file.flush()
        #expect(released == nil)
    }

    @Test("A closed file releases its queue, so that a program may write one file after another")
    func releasingQueues() throws {
        weak var released: DispatchQueue?
        do {
            let own = DispatchQueue(label: "JSONLinesQueueTests.releasingQueues")
            released = own
            let file = try JSONLinesFile(at: url, writing: .inBackground(), on: own)
            Tracer(Trace(to: file), owner: Screen.self).record(.closed)
            file.close()
        }
        #expect(released == nil)
        #expect(try records.map(\.kind) == [.closed])
    }

    /// What happens between the bursts of events in a model.
    private enum Pause: CaseIterable {
        /// The queue writes all events that wait.
        case writing
        /// The same, and also the gap.
        case flushing
    }

    @Test("What is not written is counted: each event is in the file or in the gap where it is missing")
    func dropping() async {
        await forAll(
            Gen.int(in: 0...5), Gen.zip(Gen.int(in: 0...9), Gen.element(of: Pause.allCases)).array(0...6)
        ) { capacity, bursts in
            let (file, tracer) = try tracer(.inBackground(capacity: capacity, overflow: .drop))
            var (expected, id, gap): ([String], Int, Int) = ([], 0, 0)
            func end() {
                if gap > 0 { expected.append("\(id): \(gap) missing") }
                gap = 0
            }
            for (count, pause) in bursts {
                queue.suspend()
                for index in 0..<count {
                    tracer.record(.closed)
                    if index < max(1, capacity) { end() }
                    id += 1
                    if index < max(1, capacity) { expected.append("\(id)") } else { gap += 1 }
                }
                queue.resume()
                switch pause {
                case .writing: queue.sync {}
                case .flushing:
                    file.flush()
                    end()
                }
            }
            file.close()
            end()
            let records = try records
            #expect(
                records.map { record in
                    "\(record.id)" + (record.kind == .gap ? ": \(record.missingEvents ?? 0) missing" : "")
                } == expected)
            #expect(records.map { $0.missingEvents ?? 1 }.reduce(0, +) == id)
            #expect(records.allSatisfy { $0.owner.description == "Screen #1" && $0.root == $0.id })
        }
    }

    @Test("Threads that drop events lose none from the count", .promptly)
    func droppingThreads() throws {
        let (file, tracer) = try tracer(.inBackground(capacity: 2, overflow: .drop))
        onThreads(4) { _ in
            for _ in 0..<500 { tracer.record(.closed) }
        }
        file.close()
        #expect(try records.map { $0.missingEvents ?? 1 }.reduce(0, +) == 2_000)
    }

    @Test("A thread waits while as many events wait as the capacity allows")
    func waiting() async throws {
        let (file, tracer) = try tracer(.inBackground(capacity: 2))
        let log = Log()
        queue.suspend()
        async let sender: Void = onThread {
            for number in 1...5 {
                tracer.record(
                    .dropped(TraceValue(Described { _ in log.append("described \(number)") }), because: .cancelled))
                log.append("sent \(number)")
            }
        }
        await yield { log.lines.count >= 2 }
        #expect(log.lines == ["sent 1", "sent 2"])
        queue.resume()
        await sender
        file.close()
        let lines = log.lines
        for number in 3...5 {
            let sent = try #require(lines.firstIndex(of: "sent \(number)"))
            #expect(lines.firstIndex(of: "described \(number - 2)").map { $0 < sent } == true)
        }
        #expect(try records.count == 5)
    }

    @Test("An event that a description causes is dropped if it would have to wait")
    func nesting() throws {
        let (file, tracer) = try tracer(.inBackground(capacity: 1))
        tracer.record(
            .dropped(
                TraceValue(
                    Described("outer") { _ in
                        tracer.record(.closed)
                        file.flush()
                    }), because: .cancelled))
        file.close()
        #expect(try records.map(\.kind) == [.dropped, .gap])
    }

    @Test("A file whose last reference an event holds is released on its own queue")
    func ownQueue() throws {
        queue.suspend()
        do {
            let (file, tracer) = try tracer(.inBackground())
            tracer.record(
                .dropped(TraceValue(Described("last") { _ in withExtendedLifetime(file) {} }), because: .cancelled))
        }
        queue.resume()
        // The event is written and released, and then the file is closed.
        for _ in 0..<2 { queue.sync {} }
        #expect(try records.map(\.message) == ["last"])
    }
}
