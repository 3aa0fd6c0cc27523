import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct HostileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func page(_ text: String) throws -> ReadPage { try ReadPage(TracePage(scratch.trace(text)).data) }

    @Test(arguments: [
        ("not json", "is not JSON"),
        ("[1,2]", "is not a JSON object"),
        ("42", "is not a JSON object"),
        (String(repeating: "[", count: 100_000), "is not JSON"),
        (#"{"id":"7"}"#, "has no valid number"),
        (#"{"id":-1,"kind":"received"}"#, "has no valid number"),
        (#"{"id":1e300,"kind":"received"}"#, "has no valid number"),
        (#"{"id":true,"kind":"received"}"#, "has no valid number"),
        (#"{"id":5,"kind":3}"#, "has no kind"),
        (#"{"id":5,"kind":"received","time":"soon"}"#, "has no valid time"),
        (#"{"id":5,"kind":"received","time":1e300}"#, "has no valid time"),
        (#"{"id":5,"kind":"received","time":1,"owner":"me"}"#, "has no valid owner"),
        (
            #"{"id":3,"kind":"received","time":1,"owner":{"name":"Feed","number":1}}"#,
            "repeats the number of an earlier event"
        ),
    ])
    func aLineThatIsNoEventIsSkippedAndNamed(text: String, reason: String) throws {
        let page = try page(line(1, "created") + line(3, "received") + text + "\n" + line(4, "handled"))
        #expect(page.ids == [1, 3, 4])
        #expect(page.notes == ["Skipped: line 3 \(reason)."])
    }

    /// In place of the text `FF`, the file has a byte that is not UTF-8.
    @Test(arguments: [
        "FF\n", line(2, "received", #""message":"FF""#), line(2, "received").replacing("Feed", with: "FF"),
    ])
    func aLineThatIsNotUTF8IsSkippedAndNamed(text: String) throws {
        let url = scratch.folder.appending(path: "trace.jsonl")
        let bytes = Data(line(1, "created").utf8) + Data(text.utf8).replacing(Data("FF".utf8), with: Data([0xFF]))
        try bytes.write(to: url)
        #expect(try ReadPage(TracePage(TraceFile(url)).data).notes == ["Skipped: line 2 is not UTF-8."])
    }

    @Test func skippedLinesAreCountedByReason() throws {
        let page = try page(line(1, "created") + "x\n" + "y\n" + "[]\n" + "z\n")
        #expect(
            page.notes == [
                "Skipped: 3 lines, the first of which, line 2, is not JSON.", "Skipped: line 4 is not a JSON object.",
            ])
    }

    @Test func aLastLineThatIsCutOffIsSkipped() throws {
        let page = try page(line(1, "created") + line(2, "received").dropLast(20))
        #expect(page.ids == [1])
        #expect(page.notes == ["Skipped: line 2 is cut off."])
    }

    @Test func aLastLineWithoutALineFeedIsRead() throws {
        #expect(try page(line(1, "created") + line(2, "received").dropLast()).ids == [1, 2])
    }

    @Test func valuesOfAnotherTypeBecomeTextsOrAreOmitted() throws {
        let page = try page(
            line(1, "received", #""message":{"a":[1,true,null,1.5,"<b>"]},"source":"nobody""#)
                + line(2, "changed", #""to":{"a":{"b":[1,2]}},"difference":"no""#)
                + line(3, "changed", #""to":7,"difference":[1,null]"#)
                + line(4, "handled", #""messageID":"x","cause":"2""#)
                + line(5, "decided", #""decision":"maybe","subject":4"#)
                + line(6, "endlessChain", #""messages":["a",3]"#) + line(7, "novelty", #""x":1"#))
        #expect(page.rows.count == 7)
        #expect(page.rows[0][9] as? String == #"{"a": [1, true, null, 1.5, "<b>"]}"#)
        #expect(page.rows[0][7] as? Int == 0)
        #expect(page.states == [2: #"{"a": {"b": [1, 2]}}"#, 3: "7"])
        #expect(page.rows[2][10] as? [String] == ["1", "null"])
        #expect(page.rows[4][9] as? String == "4")
        #expect(page.rows[5][9] as? [String] == ["a", "3"])
        #expect(page.rows[6][6] as? Int == 15)
        #expect((page.rows[6][9] as? String)?.contains(#""x":1"#) == true)
        #expect(page.notes == [])
    }

    @Test func ofTwoTracesInAFileOneIsShown() throws {
        let text =
            line(1, "created") + line(2, "received", #""message":"one""#) + line(1, "created")
            + line(2, "received", #""message":"two""#)
        let url = try scratch.file("trace.jsonl", text)
        let first = try ReadPage(TracePage(TraceFile(url)).data)
        #expect(first.rows.map { $0.count > 9 ? $0[9] as? String : nil } == [nil, "one"])
        #expect(first.notes.first?.contains("2 traces") == true)
        let second = try ReadPage(TracePage(TraceFile(url, trace: 2)).data)
        #expect(second.rows.last?[9] as? String == "two")
        #expect(throws: InspectorError.self) { try TraceFile(url, trace: 3) }
    }

    @Test func linesInAnotherOrderAreSorted() throws {
        #expect(try page(line(1, "created") + line(3, "handled") + line(2, "received")).ids == [1, 2, 3])
    }

    @Test func longTextsAreCut() throws {
        let long = String(repeating: "é", count: 10_000_000)
        let page = try page(line(1, "received", #""message":"\#(long)""#))
        let text = try #require(page.rows[0][9] as? String)
        #expect(text.hasSuffix("… (10,000,000 characters)"))
        #expect(text.count < 20_100)
        #expect(page.notes == ["A long text is cut."])
    }

    @Test func aLineThatIsTooLongIsSkipped() throws {
        let url = try scratch.file(
            "trace.jsonl", line(1, "created") + String(repeating: "x", count: 5_000) + "\n" + line(2, "closed"))
        let lines = try LineReader(url, maximumLength: 1_000)
        var index = TraceIndex()
        try lines.readLines { index.add($0) }
        #expect(index.traces.first?.map(\.id) == [1, 2])
        #expect(index.notes == ["Skipped: line 2 is longer than 256 MB."])
        let last = try #require(index.traces.first?.last)
        #expect(
            String(decoding: try lines.data(at: last.offset, count: last.count), as: UTF8.self) + "\n"
                == line(2, "closed"))
    }

    @Test func aTraceThatIsNoRegularFileIsRefused() throws {
        let pipe = scratch.folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [scratch.folder, pipe] {
            let error = #expect(throws: InspectorError.self) { try TraceFile(url) }
            #expect(error?.description.contains("it is not a regular file") == true)
        }
    }

    @Test func aTraceThatCannotBeReadIsNamedWithTheReason() throws {
        let url = scratch.folder.appending(path: "none.jsonl")
        let error = #expect(throws: InspectorError.self) { try TraceFile(url) }
        #expect(error?.description == "\(url.path) cannot be read: No such file or directory.")
    }

    @Test func aFileWithoutEventsBecomesAPage() throws {
        #expect(try page("").notes == ["The file contains no events."])
    }
}
