// The code of the page of ArchitectureTracing.

import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import Testing

@Suite("The page of ArchitectureTracing", .timeLimit(.minutes(10)))
struct ArchitectureTracingExampleTests {
    @Test func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }

        let file = folder.appending(path: "trace.jsonl")
        try makeComponent(tracedTo: file).send(.increment)
        #expect(try JSONLines(decoding: Data(contentsOf: file)).records.last?.kind == .closed)
        #expect(try slowest(in: file)?.messageID == 2)

        let immediately = folder.appending(path: "immediately.jsonl")
        let sink = try makeFileForACrash(at: immediately)
        Tracer(Trace(to: sink), owner: Int.self).record(.closed)
        #expect(try JSONLines(decoding: Data(contentsOf: immediately)).records.count == 1)

        //@block ArchitectureTracing/ArchitectureTracing let events

        let converted = folder.appending(path: "converted.json")
        try convert(folder.appending(path: "clicks.jsonl"), to: converted)
        #expect(try Data(contentsOf: converted) == ChromeTrace(events.all).data)
    }

    @Test func comments() throws {
        let events = TraceBuffer()
        Tracer(Trace(to: events), owner: Int.self).record(
            .changed(from: TraceValue(1), to: TraceValue(2), observers: 0))
        let failures = JSONLines(events.all).records.filter { $0.kind == .failed }
        #expect(failures.isEmpty)
        let changes = events.all.compactMap(\.difference)
        #expect(changes == [["− - 1", "+ - 2"]])
    }

    enum ClickInput { case increment }

    let clicks = StateDispatcher<Void, Int, ClickInput>.pure { _ in .update { $0 += 1 } }

    //@block ArchitectureTracing/ArchitectureTracing func makeComponent

    //@block ArchitectureTracing/ArchitectureTracing func makeFileForACrash

    //@block ArchitectureTracing/ArchitectureTracing func slowest

    //@block ArchitectureTracing/ArchitectureTracing func convert
}
