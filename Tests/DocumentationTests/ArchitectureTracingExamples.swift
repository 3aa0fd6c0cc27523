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

        let events = TraceBuffer(capacity: 100_000)
        let component = Component(initialState: 0, environment: (), trace: Trace(to: events), dispatcher: clicks)
        component.send(.increment)
        try JSONLines(events.all).write(to: folder.appending(path: "clicks.jsonl"))
        try ChromeTrace(events.all).write(to: folder.appending(path: "clicks.json"))

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
}

private enum ClickInput: Sendable {
    case increment
}

private let clicks = StateDispatcher<Void, Int, ClickInput>.pure { _ in .update { $0 += 1 } }

private func makeComponent(tracedTo file: URL) throws -> Component<Int, ClickInput> {
    let trace = Trace(to: try JSONLinesFile(at: file))
    return Component(initialState: 0, environment: (), trace: trace, dispatcher: clicks)
}

private func makeFileForACrash(at file: URL) throws -> JSONLinesFile {
    try JSONLinesFile(at: file, writing: .immediately)
}

private func slowest(in file: URL) throws -> TraceRecord? {
    let records = try JSONLines(decoding: Data(contentsOf: file)).records
    let begins = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.time) })
    func duration(_ record: TraceRecord) -> Double {
        record.time - (record.messageID.flatMap { begins[$0] } ?? record.time)
    }
    return records.filter { $0.kind == .handled }.max { duration($0) < duration($1) }
}

private func convert(_ lines: URL, to file: URL) throws {
    try ChromeTrace(JSONLines(decoding: Data(contentsOf: lines))).write(to: file)
}
