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
        (#"{"format":2}"#, "has the newer format 2"), (#"{"format":9007199254740991}"#, "has a newer format"),
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
                + line(2, "changed", #""state":{"a":{"b":[1,2]}},"changes":"no""#)
                + line(3, "changed", #""state":7,"changes":[1,null]"#)
                + line(4, "handled", #""messageID":"x","cause":"2""#)
                + line(5, "decided", #""decision":"maybe","subject":4"#)
                + line(6, "endlessChain", #""messages":["a",3]"#) + line(7, "novelty", #""x":1"#))
        #expect(page.rows.count == 7)
        #expect(page.rows[0][9] as? String == #"{"a": [1, true, null, 1.5, "<b>"]}"#)
        #expect(page.rows[0][7] as? Int == 0)
        #expect(page.states == [:] && page.rows[1].count == 9 && page.rows[2].count == 9)
        #expect(page.rows[4][9] as? String == "4")
        #expect(page.rows[5][9] as? [String] == ["a", "3"])
        #expect(page.rows[6][6] as? Int == 15)
        #expect((page.rows[6][9] as? String)?.contains(#""x":1"#) == true)
        #expect(page.notes == ["2 states are unknown, because the trace does not have the state before."])
    }

    private static let evil = #""</script><script>alert(1)</script><!--<img src=x>""#
    /// Values of each type, and at the limits of numbers.
    private static let values = [
        evil, #""""#, #""\u0000\u202e""#, "null", "true", "0", "-1", "7", "1.5", "1e300", "-9223372036854775808",
        "9223372036854775807", "9007199254740991", "9007199254740993", "[]", "[null,{}]", "[[]]", "{}", "[\(evil)]",
        #"{"a":[1]}"#, String(repeating: "[", count: 400) + String(repeating: "]", count: 400),
        "{\(evil):\(evil)}", #"{"type":1,"parts":[]}"#, "{\"type\":\(evil),\"parts\":[[\(evil),\(evil)]]}",
        "{\"entries\":[[\(evil),\(evil)]],\"more\":9223372036854775807}", #"{"elements":["1"],"more":-5}"#,
        "[{\"path\":[\(evil)],\"to\":\(evil)}]", #"[{"path":[9223372036854775807],"to":"1"}]"#,
        #"[{"path":[-1],"from":"1"}]"#, #"[{"path":[1.5]}]"#, #"[{"path":[]}]"#, #"[{"path":[],"from":"1"}]"#,
    ]

    /// Each property of a line with each value. The line is a row or is skipped, and the others are rows.
    @Test(arguments: [
        "format", "id", "kind", "time", "thread", "owner", "cause", "root", "message", "messageID", "messages",
        "source",
        "subject", "decision", "reason", "workID", "error", "recovery", "state", "changes", "observers",
        "missingEvents",
    ])
    func aPropertyMayHaveAnyValue(property: String) throws {
        let kinds = [
            "created", "received", "changed", "started", "decided", "dropped", "endlessChain", "recovered", "gap",
            "new",
        ]
        var text = line(1, "created", #""state":{"elements":["0"]}"#)
        var rows = [1]
        for value in Self.values {
            for kind in kinds {
                text += line(rows.last! + 1, kind, "\"\(property)\":\(value)")
                rows.append(rows.last! + 2)
                text += change(rows.last!, "[0]", from: #""0""#, to: #""1""#)
            }
        }
        let file = try scratch.trace(text)
        let page = try ReadPage(TracePage(file).data)
        #expect(Set(page.ids).isSuperset(of: rows))
        #expect(!page.html.contains("alert(1)</script>") && !page.html.contains("<img"))
        _ = try TracePage(file, range: TraceRange("99-"))
        #expect(try ComparisonPage(file, file).firstDifference == nil)
    }

    /// Values in values. A tree that is deeper than the library writes it is left out.
    @Test(arguments: [10, 64, 67, 200, 100_000])
    func treesMayHaveAnyDepth(depth: Int) throws {
        let wraps = [
            (#"{"type":"A","parts":[["a","#, "]]}"), (#"{"elements":["#, "]}"), (#"{"members":["#, "]}"), ("[", "]"),
        ]
        for (begin, end) in wraps {
            let tree =
                String(repeating: begin, count: depth) + "\"\(Self.evil.count)\"" + String(repeating: end, count: depth)
            let page = try page(
                line(1, "created", #""state":"0""#) + line(2, "changed", "\"state\":\(tree)")
                    + change(3, "[]", from: #""0""#, to: tree) + line(4, "closed"))
            #expect(page.ids.first == 1 && page.ids.last == 4)
            if depth <= 64 && begin.hasPrefix("{\"type") {
                #expect(page.trees[2] != nil && page.trees[3] == page.trees[2])
            }
        }
    }

    @Test func setsInSetsDoNotMultiplyTheirTexts() throws {
        let text = String(repeating: "x", count: 1_000_000)
        let tree = String(repeating: #"{"members":["#, count: 60) + "\"\(text)\"" + String(repeating: "]}", count: 60)
        #expect(try page(line(1, "created", "\"state\":\(tree)")).trees == [:])
    }

    @Test func aChangeMayLeadAnywhere() throws {
        let paths = [
            "[0]", "[1]", "[2]", "[3]", "[4]", "[-1]", "[9223372036854775807]", #"["0"]"#, "[0,0]", "[]",
            "[\(Self.evil)]", "[\((0..<5_000).map { _ in "0" }.joined(separator: ","))]",
        ]
        var (text, id) = ("", 0)
        for tree in [
            #"{"elements":["0"],"more":9223372036854775807}"#, #"{"entries":[],"more":9223372036854775807}"#,
            #"{"elements":["0"],"more":2}"#, #"{"members":["0"]}"#, #"{"entries":[["0","1"]]}"#, #""0""#,
        ] {
            for path in paths {
                for (from, to) in [(#""0""#, #""1""#), ("", #""1""#), (#""0""#, ""), ("", "")] {
                    text += line(id + 1, "created", "\"state\":\(tree)", owner: id + 1)
                    text += change(id + 2, path, from: from, to: to, owner: id + 1)
                    text += change(id + 3, path, from: to, to: from, owner: id + 1)
                    id += 3
                }
            }
        }
        #expect(try page(text).ids == Array(1...id))
    }

    @Test func aLineThatIsTooLongForItsStateIsARow() throws {
        let page = try page(
            line(1, "created", #""state":"0""#)
                + change(2, "[]", from: #""0""#, to: "\"\(String(repeating: "x", count: RowEncoder.maximumState))\"")
                + change(3, "[]", from: #""1""#, to: #""2""#))
        #expect(page.ids == [1, 2, 3] && page.states == [1: "0"])
        #expect(page.notes.count == 2 && page.notes[0].hasPrefix("The line of #2 has 16,000,"))
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

    /// The seeds of `.ci/fuzz-traces`, and what it has found.
    @Test func theSeedsBecomePages() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Seeds")
            .standardizedFileURL
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(seeds.count >= 3)
        for seed in seeds { #expect(try TracePage(TraceFile(seed)).count > 0, "\(seed.lastPathComponent)") }
    }

    @Test func aFileWithoutEventsBecomesAPage() throws {
        #expect(try page("").notes == ["The file contains no events."])
    }
}
