import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore

private let section = "Tracing"

/// What a file costs: the thread that sends, and all threads together.
var tracingFileRows: [Row] {
    [
        Row(section, "traced into a file: component send, small state") {
            let url = temporaryFile
            let enqueueing = burst("file") { makeFile(url, .inBackground()) }
            return [
                .time(
                    "the sender, against a buffer", enqueueing.checked { remove(url) },
                    burst("buffer") { TraceBuffer() }),
                .time(
                    "the sender if all is dropped, against a buffer", counting("file", Trace(to: slowFile)),
                    counting("buffer", Trace(to: TraceBuffer(capacity: 8)))),
                .time(
                    "all threads, against writing immediately", writing(.inBackground()), writing(.immediately)),
            ]
        },
        Row(section, "traced into a file: component send, state of 100,000 rows") {
            [
                .time(
                    "the sender, against a buffer", changing("file", Trace(to: slowFile)),
                    changing("buffer", Trace(to: TraceBuffer(capacity: 8))))
            ]
        },
    ]
}

/// A file that is written more slowly than a loop of messages is sent.
private var slowFile: JSONLinesFile {
    makeFile(URL(filePath: "/dev/null"), .inBackground(capacity: 8, overflow: .drop))
}

private var temporaryFile: URL {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
}

private func remove(_ url: URL) -> Bool {
    try? FileManager.default.removeItem(at: url)
    return true
}

private func makeFile(_ url: URL, _ writing: JSONLinesFile.Writing) -> JSONLinesFile {
    do {
        return try JSONLinesFile(at: url, writing: writing)
    } catch {
        fatalError("\(url.path) cannot be written: \(error)")
    }
}

private func counter(_ trace: Trace) -> Component<Int, Int> {
    Component(
        initialState: 0, environment: (), trace: trace,
        dispatcher: StateDispatcher<Any, Int, Int>.pure { number in .update { $0 &+= number } })
}

private func counting(_ name: String, _ trace: Trace) -> Subject {
    let component = opaque(counter(trace))
    return Subject(name, expecting: 499_500) {
        let before = component.state
        for index in 0..<1_000 { component.send(opaque(index)) }
        return component.state &- before
    }
}

/// Sends as many messages as a file enqueues without waiting. The core time of the thread does not include the time in which
/// it waits for the end of the file.
private func burst(_ name: String, _ makeSink: @escaping () -> any TraceSink) -> Subject {
    Subject(name, operations: 200, expecting: 19_900) {
        let component = opaque(counter(Trace(to: makeSink())))
        for index in 0..<200 { component.send(opaque(index)) }
        return component.state
    }
}

/// Writes a file of four thousand events, which is read and compared at the end.
private func writing(_ writing: JSONLinesFile.Writing) -> Subject {
    let url = temporaryFile
    return Subject(waiting: "\(writing)".hasPrefix("imm") ? "immediately" : "in the background", expecting: 499_500) {
        let file = makeFile(url, writing)
        let component = counter(Trace(to: file))
        for index in 0..<1_000 { component.send(opaque(index)) }
        file.close()
        return component.state
    }
    .checked {
        defer { try? FileManager.default.removeItem(at: url) }
        let records = (try? JSONLines(decoding: Data(contentsOf: url)).records) ?? []
        return records.compactMap { $0.changes?.first?.to?.name } == (1..<1_000).map { "\($0 * ($0 + 1) / 2)" }
            && records.map(\.id) == Array(1...records.count)
    }
}

private struct Item: Sendable {
    let id: Int
    var isDone = false
}

private func changing(_ name: String, _ trace: Trace) -> Subject {
    let component = Component(
        initialState: (0..<100_000).map { Item(id: $0) }, environment: (), trace: trace,
        dispatcher: StateDispatcher<Any, [Item], Int>.pure { index in .update { $0[index].isDone.toggle() } })
    return Subject(name, operations: 90, expecting: 10) {
        let before = component.state.prefix(20).filter(\.isDone).count
        for index in 0..<90 { component.send(opaque(index) % 20) }
        return abs(component.state.prefix(20).filter(\.isDone).count - before)
    }
}
