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

    @Test("Events are in the file as soon as they have happened, and the file is emptied first")
    func writing() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "trace.jsonl")
            try Data(count: 100_000).write(to: file)
            let sink = try JSONLinesFile(at: file)
            // Not as `Data`: Foundation leaks the buffer if the file is empty.
            #expect(try FileHandle(forReadingFrom: file).readToEnd() == nil)
            let component = Component(
                initialState: 0, environment: (), trace: Trace(to: sink), dispatcher: Self.counter)
            component.send(.add(2))
            let records = try JSONLines(decoding: Data(contentsOf: file)).records
            #expect(records.map(\.kind) == [.created, .received, .changed, .handled])
            #expect(records.map(\.to) == [nil, nil, "2", nil])
        }
    }

    @Test("Threads that write at the same time lose no line", .promptly)
    func concurrency() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "trace.jsonl")
            let trace = Trace(to: try JSONLinesFile(at: file))
            onThreads(8) { index in
                let tracer = Tracer(trace, owner: Screen.self)
                for number in 0..<200 { tracer.record(.dropped(TraceValue("\(index) \(number)"))) }
            }
            let records = try JSONLines(decoding: Data(contentsOf: file)).records
            #expect(records.count == 1_600)
            #expect(Set(records.map(\.id)).count == 1_600)
            for owner in 1...8 {
                let messages = records.filter { $0.owner.number == owner }.compactMap(\.message)
                #expect(messages.map { $0.split(separator: " ")[1] } == (0..<200).map { "\($0)" })
            }
        }
    }

    @Test("A file that is closed ignores events, and closing or flushing it again does nothing")
    func closing() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "trace.jsonl")
            let sink = try JSONLinesFile(at: file)
            let tracer = Tracer(Trace(to: sink), owner: Screen.self)
            tracer.record(.closed)
            sink.flush()
            sink.close()
            tracer.record(.closed)
            sink.flush()
            sink.close()
            #expect(try JSONLines(decoding: Data(contentsOf: file)).records.map(\.id) == [1])
        }
    }

    @Test("A file that cannot be created is an error")
    func creating() throws {
        try withTemporaryFolder { folder in
            #expect(throws: CocoaError.self) { try JSONLinesFile(at: folder.appending(path: "none/trace.jsonl")) }
            #expect(throws: CocoaError.self) { try JSONLinesFile(at: folder) }
        }
    }

    #if os(Linux)
        @Test("An error of writing is reported once, and the process goes on", .promptly)
        func failing() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                // Each write to this device fails, as on a full disk.
                let sink = try JSONLinesFile(at: URL(filePath: "/dev/full"))
                let tracer = Tracer(Trace(to: sink), owner: Screen.self)
                for _ in 0..<3 { tracer.record(.closed) }
                sink.flush()
                sink.close()
            }
            let reports = result.standardErrorText.split(separator: "\n").filter { $0.contains("/dev/full") }
            #expect(reports.count == 1)
            #expect(reports.first?.hasPrefix("The trace cannot be written to /dev/full: ") == true)
            #expect(reports.first?.contains("To fix, write to a place that has enough space.") == true)
            #expect(FileManager.default.fileExists(atPath: "/dev/full"))
        }
    #endif
}
