import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct FollowTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The rows, the states and the owners of an answer.
    private func read(_ data: Data) throws -> (rows: [[Any]], states: [[Any]], owners: [[Any]]) {
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let array = { (name: String) throws -> [[Any]] in
            let text = try #require(json[name] as? String)
            return text.isEmpty ? [] : try ReadPage.json(text) as? [[Any]] ?? []
        }
        return (try array("rows"), try array("states"), json["owners"] as? [[Any]] ?? [])
    }

    @Test func anAnswerContainsTheRowsThatWereAdded() async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created", #""state":"zero""#) + line(2, "received"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        let page = try ReadPage(await follower.page())
        #expect(page.ids == [1, 2])
        #expect(page.meta["follow"] as? Bool == true)
        #expect(page.html.contains("connect-src 'self'"))
        #expect(try read(await follower.rows(after: 2, run: 1)).rows.isEmpty)
        try append(
            line(3, "created", #""state":"other""#, owner: 2) + change(4, from: #""zero""#, to: #""one""#)
                + "{\"id\":5,",
            to: url)
        try await follower.update(now: .zero)
        let (rows, states, owners) = try read(await follower.rows(after: 2, run: 1))
        #expect(rows.map { $0[0] as? Int } == [3, 4])
        #expect(rows.map { $0[5] as? Int } == [1, 0])
        // The page has the state before the change.
        #expect(states.map { $0[1] as? String } == ["other"])
        #expect((rows[1][10] as? [[Any]])?.first?[2] as? String == "one")
        #expect(owners.map { $0[1] as? Int } == [2])
        try append(String(line(5, "closed").dropFirst(8)), to: url)
        try await follower.update(now: .zero)
        #expect(try read(await follower.rows(after: 4, run: 1)).rows.map { $0[0] as? Int } == [5])
    }

    @Test func anEventIsHeldBackForASecondIfAnEarlierOneIsMissing() async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created") + line(3, "handled"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        #expect(try read(await follower.rows(after: 0, run: 1)).rows.map { $0[0] as? Int } == [1])
        try append(line(2, "received") + line(5, "closed"), to: url)
        try await follower.update(now: .milliseconds(500))
        #expect(try read(await follower.rows(after: 0, run: 1)).rows.map { $0[0] as? Int } == [1, 2, 3])
        try await follower.update(now: .milliseconds(1_499))
        #expect(try read(await follower.rows(after: 3, run: 1)).rows.isEmpty)
        try await follower.update(now: .milliseconds(1_500))
        #expect(try read(await follower.rows(after: 3, run: 1)).rows.map { $0[0] as? Int } == [5])
        try append(line(4, "received"), to: url)
        try await follower.update(now: .seconds(2))
        #expect(try read(await follower.rows(after: 5, run: 1)).rows.isEmpty)
        #expect(
            try ReadPage(await follower.page()).notes == ["Skipped: line 5 arrived after events with higher numbers."])
    }

    @Test func aGapIsNotWaitedFor() async throws {
        let url = try scratch.file(
            "trace.jsonl", line(1, "created") + line(9, "gap", #""missingEvents":8"#) + line(10, "closed"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        #expect(try read(await follower.rows(after: 0, run: 1)).rows.map { $0[0] as? Int } == [1, 9, 10])
    }

    @Test func anAnswerHasAtMostAThousandRows() async throws {
        let url = try scratch.file("trace.jsonl", (1...1_500).map { line($0, "received") }.joined())
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        #expect(try read(await follower.rows(after: 0, run: 1)).rows.count == 1_000)
        #expect(try read(await follower.rows(after: 1_000, run: 1)).rows.count == 500)
    }

    /// Two pages ask for rows at different times. Both know the states before the rows that they ask for.
    @Test func theStatesOfAnAnswerFollowThoseBefore() async throws {
        let states = { (row: Int) in "\"\(row)\"" }
        let rest = String(repeating: "x", count: 60_000)
        let lines = (2...3_000).map { change($0, "[1]", from: states($0 - 1), to: states($0)) }
        let url = try scratch.file(
            "trace.jsonl", line(1, "created", "\"state\":{\"elements\":[\"\(rest)\",\"1\"]}") + lines.joined())
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        var wholes: [[Any]] = []
        for after in [0, 1_000, 500, 1_000, 2_000, 1_500, 2_500, 1] {
            let (rows, states, _) = try read(await follower.rows(after: after, run: 1))
            #expect(rows.first?[0] as? Int == after + 1)
            wholes += states
            for state in states {
                let row = rows[try #require(state[0] as? Int)][0] as! Int
                #expect(((state[1] as? [String: Any])?["elements"] as? [String])?.last == "\(row)")
            }
        }
        // The first state, and one after each thousand changes.
        #expect(wholes.count > 1 && wholes.count < 9)
    }

    @Test func anAnswerNumbersOwnersLikeThePage() async throws {
        let url = try scratch.file("trace.jsonl", (1...1_200).map { line($0, "received", owner: $0) }.joined())
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        _ = try await follower.rows(after: 1, run: 1)
        #expect(try read(await follower.rows(after: 1_100, run: 1)).rows.first?[5] as? Int == 1_100)
    }

    @Test(arguments: [0, 1, 2], [false, true])
    func aFileThatBeginsAgainRestartsThePage(added: Int, isReplaced: Bool) async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created") + line(2, "received"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        // A file of another name keeps the first one from giving its number to the next.
        if isReplaced { try FileManager.default.moveItem(at: url, to: scratch.folder.appending(path: "before.jsonl")) }
        // The second run creates its owner at another time.
        let text =
            line(1, "created").replacing("0.1", with: "0.2") + (0..<added).map { line($0 + 2, "received") }.joined()
        _ = try scratch.file("trace.jsonl", text)
        try await follower.update(now: .zero)
        #expect(String(decoding: try await follower.rows(after: 2, run: 1), as: UTF8.self) == #"{"restart":true}"#)
        let page = try ReadPage(await follower.page())
        #expect(page.ids == Array(1...(1 + added)))
        #expect(page.notes == [])
        #expect(page.meta["run"] as? Int == 2)
    }

    @Test func aLongFileThatIsCutRestartsThePage() async throws {
        let lines = (1...200).map { line($0, "received") }
        let url = try scratch.file("trace.jsonl", lines.joined())
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        // What is left begins as before.
        _ = try scratch.file("trace.jsonl", lines[..<100].joined())
        try await follower.update(now: .zero)
        #expect(try ReadPage(await follower.page()).ids == Array(1...100))
    }

    @Test func aSecondTraceInTheFileRestartsThePage() async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created") + line(2, "received"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        try append(line(1, "created", owner: 7) + line(2, "received", owner: 7) + line(3, "handled", owner: 7), to: url)
        try await follower.update(now: .zero)
        #expect(String(decoding: try await follower.rows(after: 2, run: 1), as: UTF8.self) == #"{"restart":true}"#)
        let page = try ReadPage(await follower.page())
        #expect(page.ids == [1, 2, 3])
        #expect(page.notes == ["The file contains 2 traces. This page shows the last one."])
    }

    @Test func anAnswerNamesTheLinesThatWereSkipped() async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created"))
        let follower = try Follower(url)
        try await follower.update(now: .zero)
        let notes = { () async throws -> [String] in
            let json = try JSONSerialization.jsonObject(with: await follower.rows(after: 1, run: 1)) as? [String: Any]
            return try #require(json?["notes"] as? [String])
        }
        #expect(try await notes() == [])
        try append("not json\n", to: url)
        try await follower.update(now: .zero)
        #expect(try await notes() == ["Skipped: line 2 is not JSON."])
    }

    @Test func aPortThatIsInUseIsNamed() async throws {
        let url = try scratch.file("trace.jsonl", line(1, "created"))
        let (addresses, address) = AsyncStream<String>.makeStream()
        let server = try FollowServer(url, port: 0)
        let first = Task { try await server.run { address.yield($0) } }
        defer { first.cancel() }
        let port = try #require(await addresses.first { _ in true }.flatMap(URL.init)?.port)
        let second = try FollowServer(url, port: UInt16(port))
        let error = await #expect(throws: InspectorError.self) { try await second.run { _ in } }
        #expect(error?.description == "The port \(port) is in use. Choose another with --port.")
    }

    @Test(
        arguments: [
            ("127.0.0.1:80", nil, true), ("localhost:80", nil, true), ("127.0.0.1:80", "http://127.0.0.1:80", true),
            ("localhost:80", "http://localhost:80", true), (nil, nil, false), ("evil.example", nil, false),
            ("evil.example:80", nil, false), ("127.0.0.1", nil, false), ("127.0.0.1:81", nil, false),
            ("127.0.0.1:80", "http://evil.example", false), ("127.0.0.1:80", "https://127.0.0.1:80", false),
            ("127.0.0.1:80", "null", false), ("127.0.0.1:80.evil.example", nil, false),
        ] as [(String?, String?, Bool)])
    func onlyPagesOfTheServerAreAnswered(host: String?, origin: String?, isAllowed: Bool) async throws {
        let follower = try Follower(scratch.file("trace.jsonl", line(1, "created")))
        for path in ["/", "/rows"] {
            let request = FollowServer.Request(
                method: "GET", path: path, query: ["after": "0", "run": "1"], host: host, origin: origin)
            let answer = try await FollowServer.answer(request, on: 80, at: .zero, from: follower)
            #expect(answer.status == (isAllowed ? 200 : 403))
            #expect(String(decoding: answer.body, as: UTF8.self).contains("created") == (isAllowed && path == "/"))
        }
    }

    @Test(
        arguments: [
            ("POST", "/", [:], 405), ("DELETE", "/rows", [:], 405), ("GET", "/trace.jsonl", [:], 404),
            ("GET", "/../etc/passwd", [:], 404), ("GET", "/rows", [:], 400),
            ("GET", "/rows", ["after": "x", "run": "1"], 400),
        ] as [(String, String, [String: String], Int)])
    func otherRequestsAreRefused(method: String, path: String, query: [String: String], status: Int) async throws {
        let follower = try Follower(scratch.file("trace.jsonl", line(1, "created")))
        let request = FollowServer.Request(method: method, path: path, query: query, host: "localhost:80", origin: nil)
        #expect(try await FollowServer.answer(request, on: 80, at: .zero, from: follower).status == status)
    }
}
