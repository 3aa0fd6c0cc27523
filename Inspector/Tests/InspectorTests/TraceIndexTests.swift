import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct TraceIndexTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["\n", "\r\n", " \t\r\n"])
    func linesMayHaveAnyEnd(end: String) throws {
        let text = line(1, "created") + "\n" + line(2, "received") + "\n\n"
        let file = try scratch.trace(text.replacing("\n", with: end))
        #expect(file.entries.map(\.id) == [1, 2])
        #expect(file.notes == [])
        #expect(try file.line(of: file.entries[1]).line.head.id == 2)
    }

    /// The first events of a trace in any order, because threads may write in another order.
    @Test(arguments: [[1, 2, 3], [2, 1, 3], [2, 3, 1]])
    func aSecondTraceIsFoundInWhateverOrderItBegins(order: [Int]) async throws {
        let first = line(1, "created") + (2...4).map { line($0, "received") }.joined()
        let second = order.map { line($0, $0 == 1 ? "created" : "received", owner: 7) }.joined()
        let url = try scratch.file("trace.jsonl", first + second)
        for (number, ids) in [(1, [1, 2, 3, 4]), (2, [1, 2, 3])] {
            let file = try TraceFile(url, trace: number)
            #expect(file.entries.map(\.id) == ids)
            #expect(file.notes.count == 1)
        }
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        #expect(try ReadPage(await follower.page()).ids == [1, 2, 3])
    }

    @Test func aRepeatedNumberBeginsNoTrace() throws {
        let file = try scratch.trace((1...4).map { line($0, "received") }.joined() + line(3, "received"))
        #expect(file.entries.map(\.id) == [1, 2, 3, 4])
        #expect(file.notes == ["Skipped: line 5 repeats the number of an earlier event."])
    }
}
