import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct RangeTests {
    private let scratch: Scratch
    /// Work from 3 to 8, work from 4 to 5, and states at 1, 6 and 9.
    private let text: String

    init() throws {
        scratch = try Scratch()
        text =
            line(1, "created", #""state":"zero""#) + line(2, "received", #""message":"load""#)
            + line(3, "started", #""subject":"long""#, cause: 2) + line(4, "started", #""subject":"short""#, cause: 2)
            + line(5, "ended", #""workID":4"#, cause: 4) + change(6, from: #""zero""#, to: #""one""#, cause: 2)
            + line(7, "handled", #""messageID":2"#, cause: 2) + line(8, "ended", #""workID":3"#, cause: 3)
            + change(9, from: #""one""#, to: #""two""#, cause: 2) + line(10, "closed")
    }

    @Test(arguments: [
        ("7-9", [3, 6, 7, 8, 9]), ("7...", [3, 6, 7, 8, 9, 10]), ("-2", [1, 2]), ("0.75s-0.9s", [3, 6, 8, 9]),
        ("0.9s-", [6, 9, 10]), ("4-5", [1, 3, 4, 5]), ("7-7", [3, 6, 7]),
    ])
    func aRangeBeginsWithTheWorkUnderWayAndTheLastStates(range: String, ids: [Int]) throws {
        let page = try ReadPage(TracePage(scratch.trace(text), range: TraceRange(range)).data)
        #expect(page.ids == ids)
        #expect((page.meta["range"] as? String)?.hasPrefix("Range \(range): ") == true)
    }

    @Test func aRangeBeginsWithoutTheWorkThatHasEndedAndTheOwnersThatHaveClosed() throws {
        let ends = ["ended", "cancelled", "failed"]
        var text = line(1, "created", #""state":"zero""#) + line(2, "created", #""state":"zero""#, owner: 2)
        for (place, end) in ends.enumerated() {
            text +=
                line(3 + 2 * place, "started", #""subject":"work""#)
                + line(4 + 2 * place, end, "\"workID\":\(3 + 2 * place)")
        }
        text += line(9, "started", #""subject":"work""#) + line(10, "closed") + line(11, "received", owner: 2)
        // A failure outside of all work ends none.
        text += line(12, "failed", #""error":"error""#, owner: 2) + line(13, "received", owner: 2)
        let page = try ReadPage(TracePage(scratch.trace(text), range: TraceRange("13-")).data)
        #expect(page.ids == [2, 9, 13])
    }

    @Test func theFirstStateOfARangeIsWhole() throws {
        let page = try ReadPage(TracePage(scratch.trace(text), range: TraceRange("8-9")).data)
        #expect(page.states == [6: "one", 9: "two"])
    }

    /// The changes before the range are no rows, but the states on the page follow from them.
    @Test func theStatesOfARangeFollowFromThoseBefore() throws {
        let changes = (3...40).map { change($0, "[0]", from: "\"\($0 - 1)\"", to: "\"\($0)\"") }
        let text = line(1, "created", #""state":"b""#, owner: 2) + line(2, "created", #""state":{"elements":["2"]}"#)
        let page = try ReadPage(TracePage(scratch.trace(text + changes.joined()), range: TraceRange("30-")).data)
        #expect(page.ids == [1] + Array(29...40))
        #expect(page.states == Dictionary(uniqueKeysWithValues: [(1, "b")] + (29...40).map { ($0, "[\($0)]") }))
        #expect(page.wholeStates == 2)
        #expect(page.meta["owners"] as? [[AnyHashable]] == [["Feed", 2], ["Feed", 1]])
    }

    @Test func anEmptyRangeBecomesAPage() throws {
        let page = try ReadPage(TracePage(scratch.trace(text), range: TraceRange("90-")).data)
        #expect(page.ids == [])
    }

    @Test(arguments: ["", "-", "a-b", "5-3", "1.5-2", "xs-3s", "7"])
    func aTextThatIsNoRangeIsRefused(text: String) {
        #expect(TraceRange(text) == nil)
    }

    @Test func aPageContainsTheLastPartThatFits() throws {
        let text =
            line(1, "created", #""state":"1""#)
            + (2...9_000).map { change($0, from: "\"\($0 - 1)\"", to: "\"\($0)\"") }.joined()
        let file = try scratch.trace(text)
        let whole = try ReadPage(TracePage(file, maximumBytes: 10_000_000).data)
        #expect(whole.rows.count == 9_000)
        #expect(whole.meta["range"] == nil)
        let size = try EmbeddedRows(file, maximumBytes: 10_000_000).chunks.reduce(0) { $0 + $1.size }
        let part = try EmbeddedRows(file, maximumBytes: size / 2)
        #expect(part.chunks.reduce(0) { $0 + $1.size } <= size / 2)
        #expect(part.count > 3_000 && part.count < 5_000)
        #expect(part.entries.last?.id == 9_000)
        let page = try ReadPage(TracePage(file, maximumBytes: size / 2).data)
        #expect(page.states == Dictionary(uniqueKeysWithValues: page.ids.map { ($0, "\($0)") }))
        #expect(part.range?.contains("Choose others with --range.") == true)
    }
}
