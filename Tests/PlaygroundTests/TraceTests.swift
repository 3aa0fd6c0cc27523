import ArchitectureTracing
import Foundation
import FunctionalCore
import PlaygroundTestSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct TraceTests {
    /// Runs a playground with `--trace`, and returns the file that it writes.
    private func trace(_ name: String, _ file: String, input: String) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: file)
        let port = RefusingPort()
        let report = try await Playground(name).run(
            "--trace", url.path, "http://127.0.0.1:\(port.number)", input: input)
        #expect(report.status != 64)
        return try Data(contentsOf: url)
    }

    @Test func `posts writes each action, where it came from and what it changed as JSON lines`() async throws {
        let records = try JSONLines(decoding: await trace("posts", "posts.jsonl", input: "show 1\nfoo\n")).records
        #expect(Set(records.map(\.owner.description)) == ["Store<PostsState> #1"])
        #expect(Set(records.map(\.id)).count == records.count)
        let received = records.filter { $0.kind == .received }
        #expect(
            received.compactMap { $0.message?.prefix { $0 != "(" } }
                == ["ShowPost", "RequestFailed", "Misunderstood", "RequestsStopped"])
        #expect(received.first?.source == "caller")
        let changes = records.filter { $0.cause == received.first?.id && $0.kind == .changed }
        #expect(changes.count == 1)
        #expect(changes.first?.changes?.contains { $0.to != nil } == true)
        #expect(records.filter { $0.kind == .handled }.compactMap(\.messageID) == received.map(\.id))
    }

    @Test func `posts writes a trace for Chrome`() async throws {
        let file = try ChromeFile(await trace("posts", "posts.json", input: "show 1\nfoo\n"))
        file.checkFormat()
        let slices = file.events.filter { $0.phase == "B" }
        #expect(
            slices.map { $0.name.prefix { $0 != "(" } }
                == ["ShowPost", "RequestFailed", "Misunderstood", "RequestsStopped"])
        #expect(file.events.contains { $0.phase == "i" && $0.name == "changed" })
    }

    @Test func `player writes each event and what it changed as JSON lines`() async throws {
        let records = try JSONLines(decoding: await trace("player", "player.jsonl", input: "p\nt\ns\n")).records
        let received = records.filter { $0.kind == .received }
        #expect(received.compactMap(\.message) == ["play", "secondPassed", "stop", "playbackStopped", "inputEnded"])
        let changes = records.filter { $0.kind == .changed }
        #expect(
            changes.compactMap { $0.changes?.first?.to?.description } == [
                "playing 0:00 | no users", "playing 0:01 | no users", "stopping | no users", "stopped | no users",
            ])
        #expect(changes.map(\.cause) == received.prefix(4).map(\.id))
    }

    @Test func `player writes a trace for Chrome`() async throws {
        let file = try ChromeFile(await trace("player", "player.json", input: "p\ns\nf 1\n"))
        file.checkFormat()
        let names = file.events.filter { $0.phase == "B" }.map(\.name)
        #expect(names.prefix(4) == ["play", "stop", "playbackStopped", #"fetch(ids: ["1"])"#])
        #expect(file.events.contains { $0.phase == "i" && $0.name == "changed" })
        // From the effect of `stop` to its answer.
        #expect(file.events.contains { $0.phase == "f" })
    }

    /// The programs that need no server, with an input and the first message that a trace of it contains.
    private static let programs: [(command: String, input: String, message: String)] = [
        ("stepper", "+\nx\nq\n", "tapIncrement"), ("die", "r\nq\n", "roll(sides: 6)"),
        ("dashboard", "+\nq\n", "stepper("), ("screen-loader \(#filePath)", "", "load(location: "),
        ("fetch-many \(#filePath)", "", "began(0)"), ("check-laws", "", "Verdict(law: "),
        ("player", "p\nq\n", "play"), ("posts", "list\n", "ListPosts()"),
    ]

    @Test(arguments: programs, ["jsonl", "json"])
    func `each program writes a trace`(
        program: (command: String, input: String, message: String), type: String
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\(type)")
        defer { try? FileManager.default.removeItem(at: file) }
        let words = program.command.split(separator: " ").map(String.init)
        let report = try await RunningProcess.run(
            Executables.path(words[0]), Array(words.dropFirst()) + ["--trace", file.path], input: program.input)
        #expect(report.status != 64)
        let data = try Data(contentsOf: file)
        let messages =
            type == "json"
            ? try ChromeFile(data).events.filter { $0.phase == "B" }.map(\.name)
            : try JSONLines(decoding: data).records.filter { $0.kind == .received }.compactMap(\.message)
        #expect(messages.first?.hasPrefix(program.message) == true)
    }

    @Test func `Ctrl-C completes a trace`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = try RunningProcess(Executables.path("stepper"), ["--trace", file.path])
        process.send("+\n")
        #expect(await process.line { $0 == "1" } != nil)
        process.signal(SIGINT)
        #expect(await process.wait().status == 130)
        let events = try ChromeFile(Data(contentsOf: file)).events
        #expect(events.contains { $0.name == "tapIncrement" })
    }
}
