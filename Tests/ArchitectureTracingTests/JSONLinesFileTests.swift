import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import TestSupport
import Testing

@Suite("Files of JSON lines", .timeLimit(.minutes(10)))
struct JSONLinesFileTests {
    private enum Step: Sendable {
        case add(Int)
    }

    private static let counter = StateDispatcher<Void, Int, Step>.pure { step in
        switch step {
        case .add(let number): .update { $0 += number }
        }
    }

    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "trace.jsonl")
    }

    /// A sink that passes events to a file and to a buffer.
    private struct Both: TraceSink {
        let file: JSONLinesFile
        let buffer = TraceBuffer(capacity: .max)

        func receive(_ event: TraceEvent) {
            file.receive(event)
            buffer.receive(event)
        }
    }

    @Test("Events are written immediately if that is wanted, and the file is emptied first")
    func writing() throws {
        try Data(count: 100_000).write(to: file)
        let sink = try JSONLinesFile(at: file, writing: .immediately)
        // Not as `Data`: Foundation leaks the buffer if the file is empty.
        #expect(try FileHandle(forReadingFrom: file).readToEnd() == nil)
        let component = Component(
            initialState: 0, environment: (), trace: Trace(to: sink), dispatcher: Self.counter)
        component.send(.add(2))
        let records = try JSONLines(decoding: Data(contentsOf: file)).records
        #expect(records.map(\.kind) == [.created, .received, .changed, .handled])
        #expect(records.map { $0.state?.description } == ["0", nil, nil, nil])
        #expect(records[2].changes?.map { $0.to?.description } == ["2"])
    }

    @Test("Fifty thousand events are read as the ones that have happened")
    func many() throws {
        let sink = Both(file: try JSONLinesFile(at: file))
        let component = Component(
            initialState: 0, environment: (), trace: Trace(to: sink), dispatcher: Self.counter)
        for number in 1...16_666 { component.send(.add(number)) }
        sink.file.close()
        let records = try JSONLines(decoding: Data(contentsOf: file)).records
        #expect(records.count == 49_999)
        #expect(records == JSONLines(sink.buffer.all).records)
    }

    static let writings: [JSONLinesFile.Writing] = [
        .immediately, .inBackground(), .inBackground(capacity: 1), .inBackground(capacity: 0),
    ]

    @Test("Threads that write at the same time lose no line", .promptly, arguments: writings)
    func concurrency(writing: JSONLinesFile.Writing) throws {
        let sink = try JSONLinesFile(at: file, writing: writing)
        onThreads(8) { index in
            let tracer = Tracer(Trace(to: sink), owner: Screen.self)
            for number in 0..<200 { tracer.record(.dropped(TraceValue("\(index) \(number)"), because: .cancelled)) }
        }
        sink.close()
        let messages = try JSONLines(decoding: Data(contentsOf: file)).records.compactMap(\.message)
        #expect(messages.count == 1_600)
        for index in 0..<8 {
            let own = messages.filter { $0.hasPrefix("\(index) ") }
            #expect(own == (0..<200).map { "\(index) \($0)" })
        }
    }

    @Test("Tasks on all threads of the pool may wait for the file")
    func tasks() async throws {
        let sink = try JSONLinesFile(at: file, writing: .inBackground(capacity: 1))
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    let tracer = Tracer(Trace(to: sink), owner: Screen.self)
                    for _ in 0..<10 { tracer.record(.closed) }
                }
            }
        }
        sink.close()
        #expect(try JSONLines(decoding: Data(contentsOf: file)).records.count == 1_000)
    }

    @Test("A file that is closed or deallocated has all events, ignores later ones, and can be closed again")
    func closing() throws {
        for writing in Self.writings {
            let sink = try JSONLinesFile(at: file, writing: writing)
            let tracer = Tracer(Trace(to: sink), owner: Screen.self)
            for _ in 0..<3 { tracer.record(.closed) }
            sink.flush()
            sink.close()
            tracer.record(
                .dropped(TraceValue(Described { _ in Issue.record("An event is described.") }), because: .cancelled))
            sink.flush()
            sink.close()
            #expect(try JSONLines(decoding: Data(contentsOf: file)).records.map(\.id) == [1, 2, 3])

            let other = folder.url.appending(path: "other.jsonl")
            do {
                let tracer = Tracer(Trace(to: try JSONLinesFile(at: other, writing: writing)), owner: Screen.self)
                for _ in 0..<3 { tracer.record(.closed) }
            }
            #expect(try JSONLines(decoding: Data(contentsOf: other)).records.map(\.id) == [1, 2, 3])
        }
    }

    @Test("A file that cannot be created is an error")
    func creating() throws {
        #expect(throws: CocoaError.self) { try JSONLinesFile(at: folder.url.appending(path: "none/trace.jsonl")) }
        #expect(throws: CocoaError.self) { try JSONLinesFile(at: folder.url) }
    }
}

/// A value that calls a function when it is described.
struct Described: Sendable, CustomStringConvertible {
    let text: String
    let body: @Sendable (String) -> Void

    init(_ text: String = "", _ body: @escaping @Sendable (String) -> Void) {
        self.text = text
        self.body = body
    }

    var description: String {
        body(text)
        return text
    }
}
