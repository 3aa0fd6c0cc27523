import ArchitectureTracing
import Foundation
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("JSON lines", .timeLimit(.minutes(10)))
struct JSONLinesTests {
    /// The lines without the numbers of threads, which differ from run to run.
    private func texts(_ events: [TraceEvent]) -> [String] {
        JSONLines(events).text.replacing(/"thread":[0-9]+/, with: "\"thread\":0").split(separator: "\n").map(
            String.init)
    }

    @Test("Each event is an object on a line, with the fields of its kind")
    func fields() {
        let events = recorded { tracer, clock in
            clock.advance(by: .milliseconds(1_203))
            for kind in TraceEvent.Kind.all { tracer.record(kind) }
        }
        let owner = #""owner":{"name":"Screen","number":1}"#
        func line(_ id: Int, _ before: String, _ kind: String, _ after: String = "", _ end: String = "") -> String {
            #"{\#(before)"format":1,"id":\#(id),"kind":"\#(kind)",\#(after)\#(owner),"root":\#(id)"# + end
        }
        let time = #","thread":0,"time":1.203}"#
        let state = #","state":{"parts":[["title","\"Feed\""],["isLoading","false"]],"type":"Screen"}"#
        #expect(
            texts(events) == [
                line(1, "", "created", "", state + time),
                line(2, "", "created", "", time),
                line(3, "", "received", #""message":"load(5)","#, #","source":"caller""# + time),
                line(4, "", "handled", #""messageID":3,"#, time),
                line(
                    5, #""changes":[{"from":"false","path":["isLoading"],"to":"true"}],"#, "changed",
                    #""observers":2,"#, time),
                line(6, "", "changed", #""observers":0,"#, time),
                line(7, "", "started", "", #","source":"action","subject":"load(5)""# + time),
                line(8, "", "suspended", "", #","thread":0,"time":1.203,"workID":7}"#),
                line(9, "", "ended", "", #","thread":0,"time":1.203,"workID":7}"#),
                line(10, "", "started", "", #","source":"action","subject":"load(5)""# + time),
                line(11, "", "cancelled", "", #","thread":0,"time":1.203,"workID":10}"#),
                line(12, "", "started", "", #","source":"action","subject":"load(5)""# + time),
                line(13, #""error":"Unreachable()","#, "failed", "", #","thread":0,"time":1.203,"workID":12}"#),
                line(14, #""error":"Unreachable()","#, "failed", "", time),
                #"{"error":"Unreachable()","format":1,"id":15,"kind":"recovered",\#(owner),"recovery":"the value load(5)","root":15"#
                    + time,
                line(16, #""decision":"delayed","#, "decided", "", #","subject":"load(5)""# + time),
                #"{"format":1,"id":17,"kind":"dropped","message":"load(5)",\#(owner),"reason":"cancelled","root":17"#
                    + time,
                line(18, "", "endlessChain", #""messages":["load(5)","load(5)"],"#, time),
                line(19, "", "closed", "", time),
            ])
    }

    @Test("A record has the cause, the root, the time, the thread and the owner of its event")
    func causes() throws {
        let events = recorded { tracer, clock in
            tracer.process(Input.load(1), from: tracer.origin { nil }) {
                clock.advance(by: .nanoseconds(1))
                tracer.begin(Input.load(2), .action).end()
            }
        }
        let records = JSONLines(events).records
        #expect(records.map(\.cause) == [nil, 1, 2, 1])
        #expect(records.map(\.root) == [1, 1, 1, 1])
        #expect(records.map(\.time) == [0, 1e-9, 1e-9, 1e-9])
        #expect(records.map(\.thread) == events.map(\.thread))
        #expect(records.map(\.owner.description) == events.map(\.owner.description))
    }

    @Test("The records of all kinds can be read again")
    func reading() throws {
        let lines = JSONLines(recorded { tracer, _ in for kind in TraceEvent.Kind.all { tracer.record(kind) } })
        // Only a file has gaps.
        #expect(Set(lines.records.map(\.kind) + [.gap]) == Set(TraceRecord.Kind.allCases))
        #expect(try JSONLines(decoding: lines.data).records == lines.records)
        #expect(try JSONLines(decoding: Data("\n".utf8) + lines.data + Data("\n".utf8)).records == lines.records)
        #expect(try JSONLines(decoding: Data()).records == [])
    }

    @Test("Quotes, line breaks, control characters, emoji and numbers that are not finite are kept in a line")
    func characters() async {
        func kept(_ text: String) throws {
            let lines = JSONLines(
                recorded { tracer, _ in tracer.record(.dropped(TraceValue(text), because: .cancelled)) })
            #expect(lines.data.filter { $0 == UInt8(ascii: "\n") }.count == 1)
            #expect(try JSONLines(decoding: lines.data).records.map(\.message) == [text])
        }
        await forAll(Gen<String>.string) { text in try kept(text) }
        await forAll(
            Gen.element(of: ["\"", "\\", "\n", "\r\n", "\u{0}", "\u{1B}", "\u{2028}", "👩‍👧", "e\u{301}", "/"]).array(
                0...5)
        ) {
            try kept($0.joined())
        }
        let numbers: [Double] = [.nan, .infinity, -.infinity]
        let lines = JSONLines(
            recorded { tracer, _ in tracer.record(.dropped(TraceValue(numbers), because: .cancelled)) })
        #expect(lines.records.map(\.message) == ["[nan, inf, -inf]"])
        #expect((try? JSONLines(decoding: lines.data).records) == lines.records)
    }

    @Test(
        "A line that is not an event is skipped, and the others are read",
        arguments: [#"{"id":1}"#, "1", "{", "\u{FEFF}"])
    func skipping(line: String) throws {
        let lines = JSONLines(recorded { tracer, _ in tracer.record(.closed) })
        let read = try JSONLines(decoding: lines.data + Data("\n\(line)\n".utf8) + lines.data)
        #expect(read.records == lines.records + lines.records)
        #expect(read.skippedLines.map(\.description) == ["Line 3 is not an event of a trace."])
    }

    @Test("An event of a newer format is skipped, and the reason names the format")
    func newerFormats() throws {
        let lines = JSONLines(recorded { tracer, _ in tracer.record(.closed) })
        let newer = lines.text.replacing(#""format":1"#, with: #""format":2"#)
        let read = try JSONLines(decoding: Data(newer.utf8) + lines.data)
        #expect(read.records == lines.records)
        #expect(read.skippedLines.map(\.description) == ["Line 1 has the newer format 2."])
    }

    @Test("An event of an unknown kind is skipped, and the reason names the kind")
    func unknownKinds() throws {
        let lines = JSONLines(
            recorded { tracer, _ in for kind in TraceEvent.Kind.all.suffix(2) { tracer.record(kind) } })
        let unknown = lines.text.replacing(#""kind":"closed""#, with: #""kind":"paused""#)
        let read = try JSONLines(decoding: Data(unknown.utf8))
        #expect(read.records == [lines.records[0]])
        #expect(read.skippedLines.map(\.description) == [#"Line 2 has the unknown kind "paused"."#])
    }

    @Test("Lines with carriage returns are read, and empty ones among them are no lines")
    func carriageReturns() throws {
        let lines = JSONLines(recorded { tracer, _ in for kind in TraceEvent.Kind.all { tracer.record(kind) } })
        let text = "\r\n" + lines.text.replacing("\n", with: "\r\n \r\n")
        let read = try JSONLines(decoding: Data(text.utf8))
        #expect(read.records == lines.records)
        #expect(read.skippedLines.isEmpty)
    }

    @Test("Data without any event is not a trace", arguments: ["1\n", "<html>\n</html>", "{}\n{}\n"])
    func noTrace(text: String) throws {
        let error = try #require(throws: DecodingError.self) { try JSONLines(decoding: Data(text.utf8)) }
        guard case .dataCorrupted(let context) = error else { throw error }
        #expect(context.debugDescription == "No line is an event of a trace. Line 1 is not an event of a trace.")
        #expect(context.underlyingError is DecodingError)
    }

    @Test("Lines that are cut off anywhere are read up to there, and the half line is reported")
    func cutting() throws {
        let records = JSONLines(
            recorded { tracer, _ in for kind in TraceEvent.Kind.all.prefix(4) { tracer.record(kind) } })
        let data = records.data
        for end in 0...data.count {
            let lines = try JSONLines(decoding: data[..<end])
            // A line that only its line feed is missing of is whole.
            let isWhole = end < data.count && data[end] == UInt8(ascii: "\n")
            let start = isWhole ? end : data[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let count = data[..<start].filter { $0 == UInt8(ascii: "\n") }.count + (isWhole ? 1 : 0)
            #expect(lines.records == Array(records.records.prefix(count)))
            #expect(lines.skippedLines.map(\.description) == (end > start ? ["Line \(count + 1) is cut off."] : []))
        }
        #expect(records.skippedLines.isEmpty)
    }

    @Test("Writing replaces the contents of a file")
    func files() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "trace.jsonl")
        try Data(count: 100_000).write(to: file)
        let lines = JSONLines(recorded { tracer, _ in tracer.record(.closed) })
        try lines.write(to: file)
        #expect(try Data(contentsOf: file) == lines.data)
        #expect(throws: CocoaError.self) { try lines.write(to: folder.url.appending(path: "none/trace.jsonl")) }
    }
}

/// A new folder, which is removed when this is deallocated.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
