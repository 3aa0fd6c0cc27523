import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct ComparisonTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func blocks(_ left: [Int], _ right: [Int]) -> [[Int]] {
        RunComparison(left, right).blocks.map { [$0.isEqual ? 1 : 0, $0.left, $0.right] }
    }

    @Test func partsThatCorrespondAreFoundAgain() {
        #expect(blocks([1, 2, 3], [1, 2, 3]) == [[1, 3, 3]])
        #expect(blocks([1, 2, 3, 4], [1, 9, 2, 3, 4]) == [[1, 1, 1], [0, 0, 1], [1, 3, 3]])
        #expect(blocks([1, 2, 3, 4], [1, 3, 4]) == [[1, 1, 1], [0, 1, 0], [1, 2, 2]])
        #expect(blocks([1, 2, 3, 4], [1, 8, 3, 4]) == [[1, 1, 1], [0, 1, 1], [1, 2, 2]])
        // One entry that corresponds by chance ends no difference.
        #expect(blocks([1, 2, 3, 4, 5], [9, 2, 8, 4, 5]) == [[0, 3, 3], [1, 2, 2]])
        #expect(blocks([1, 2], [1]) == [[1, 1, 1], [0, 1, 0]])
        #expect(blocks([], [5]) == [[0, 0, 1]])
        #expect(blocks([], []) == [])
    }

    @Test func theBlocksCoverBothRuns() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let run = {
                (0..<Int.random(in: 0...30, using: &random)).map { _ in Int.random(in: 0...4, using: &random) }
            }
            let (left, right) = (run(), run())
            let blocks = RunComparison(left, right).blocks
            #expect(
                blocks.reduce(0) { $0 + $1.left } == left.count && blocks.reduce(0) { $0 + $1.right } == right.count)
            var (i, j) = (0, 0)
            for block in blocks {
                if block.isEqual { #expect(left[i..<(i + block.left)] == right[j..<(j + block.right)]) }
                (i, j) = (i + block.left, j + block.right)
            }
        }
    }

    @Test func numbersTimesAndThreadsAreNoDifference() throws {
        let left =
            line(1, "created") + line(2, "received", #""message":"a""#)
            + line(3, "handled", #""messageID":2"#, cause: 2)
        let right =
            line(1, "created") + line(5, "received", #""message":"a""#)
            + line(7, "handled", #""messageID":5"#, cause: 5)
        let page = try ComparisonPage(
            TraceFile(scratch.file("a.jsonl", left)),
            TraceFile(scratch.file("b.jsonl", right.replacing("\"thread\":7", with: "\"thread\":8"))))
        #expect(page.firstDifference == nil)
    }

    @Test(arguments: [
        ("kind", #""kind":"received""#, #""kind":"dropped""#),
        ("owner", #""owner":{"name":"Feed","number":1}"#, #""owner":{"name":"Feed","number":2}"#),
        ("cause", #""cause":2"#, #""cause":1"#), ("message", #""message":"a""#, #""message":"b""#),
        ("subject", #""subject":"a""#, #""subject":"b""#), ("state", #""state":"a""#, #""state":"b""#),
        ("source", #""source":"caller""#, #""source":"observer""#),
        ("decision", #""decision":"waits""#, #""decision":"replaced""#),
        ("reason", #""reason":"absent""#, #""reason":"closed""#), ("error", #""error":"a""#, #""error":"b""#),
        ("recovery", #""recovery":"a""#, #""recovery":"b""#), ("messages", #""messages":["a"]"#, #""messages":["b"]"#),
        ("messageID", #""messageID":1"#, #""messageID":2"#), ("workID", #""workID":1"#, #""workID":2"#),
    ])
    func twoRunsThatDifferInOnePropertyDiffer(property: String, text: String, other: String) throws {
        let own = text.contains(/kind|owner|cause/) ? "" : text
        let left =
            line(1, "created") + line(2, "started", #""subject":"work""#) + line(3, "received", own, cause: 2)
        let last = try #require(left.range(of: "{\"id\":3"))
        let (before, changing) = (String(left[..<last.lowerBound]), String(left[last.lowerBound...]))
        let changed = changing.replacing(text, with: other)
        #expect(changed != changing)
        let page = try ComparisonPage(
            TraceFile(scratch.file("a.jsonl", left)),
            TraceFile(scratch.file("b.jsonl", before + changed)))
        #expect(page.firstDifference == 3)
    }

    @Test(arguments: [
        (change(1, #"["a"]"#, from: #""1""#, to: #""3""#), true),
        (change(1, #"["b"]"#, from: #""1""#, to: #""2""#), true),
        (change(1, #"["a"]"#, from: #""1""#, to: ""), true), (line(1, "changed", #""changes":[]"#), true),
        // What a part was before, an earlier entry has shown.
        (change(1, #"["a"]"#, from: #""0""#, to: #""2""#), false),
    ])
    func changesAreComparedByWhatTheyHaveMade(other: String, differs: Bool) throws {
        let left = try TraceFile(scratch.file("a.jsonl", change(1, #"["a"]"#, from: #""1""#, to: #""2""#)))
        let right = try TraceFile(scratch.file("b.jsonl", other))
        #expect(try ComparisonPage(left, right).firstDifference == (differs ? 1 : nil))
    }

    @Test func aWholeStateIsNoDifferenceIfTheChangesAreThose() throws {
        let text = change(1, #"["a"]"#, from: #""1""#, to: #""2""#)
        let left = try TraceFile(scratch.file("a.jsonl", text))
        let right = try TraceFile(
            scratch.file("b.jsonl", text.replacing("\"changes\"", with: "\"state\":\"S\",\"changes\"")))
        #expect(try ComparisonPage(left, right).firstDifference == nil)
    }

    @Test func aRunWithoutEventsDiffersFromARunWithEvents() throws {
        let (none, some) = (try scratch.file("a.jsonl", ""), try scratch.file("b.jsonl", line(1, "created")))
        #expect(try ComparisonPage(TraceFile(none), TraceFile(some)).firstDifference == 1)
        #expect(try ComparisonPage(TraceFile(some), TraceFile(none)).firstDifference == 1)
        #expect(try ComparisonPage(TraceFile(none), TraceFile(none)).firstDifference == nil)
    }

    @Test func messagesAndErrorsAreComparedAsTexts() throws {
        for (kind, property) in [("received", "message"), ("failed", "error")] {
            let files = try ["[b: 1, a: 2]", "[a: 2, b: 1]"].map {
                try TraceFile(scratch.file("\($0).jsonl", line(3, kind, "\"\(property)\":\"\($0)\"")))
            }
            #expect(try ComparisonPage(files[0], files[1]).firstDifference == 3)
        }
    }

    @Test func thePageNamesTheFirstEntryThatDiffers() throws {
        let left =
            line(1, "created", #""state":"w""#) + line(2, "received", #""message":"a""#)
            + change(3, from: #""w""#, to: #""<x>""#, cause: 2)
        let right = left.replacing("<x>", with: "y")
        let page = try ComparisonPage(
            TraceFile(scratch.file("a.jsonl", left)), TraceFile(scratch.file("b.jsonl", right)))
        #expect(page.firstDifference == 3)
        let html = String(decoding: page.data, as: UTF8.self)
        #expect(html.contains(#""blocks":[[1,2,2],[0,1,1]]"#))
        #expect(html.contains("data-side=\"0\" data-rows=\"0\"") && html.contains("data-side=\"1\" data-states=\"0\""))
        #expect(!html.contains("<x>"))
    }
}
