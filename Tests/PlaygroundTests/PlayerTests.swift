import ExampleLoops
import Foundation
import Loop
import PlaygroundTestSupport
import ResourceLoading
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct PlayerTests {
    let player = Playground("player")
    let nowhere = "http://127.0.0.1:9"

    @Test func `a second stop and a second play change nothing, and each change is a line`() async throws {
        let report = try await player.run(nowhere, input: "s\np\np\nt\nt\n\ns\ns\nt\nq\n")
        #expect(
            report.lines == [
                "stopped | no users",
                "playing 0:00 | no users",
                "playing 0:01 | no users",
                "playing 0:02 | no users",
                "stopping | no users",
                "stopped | no users",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `a key stops the loop and restarts it from its last model`() async throws {
        let report = try await player.run(nowhere, input: "p\nt\nx\nx\nt\nq\n")
        #expect(
            report.lines == [
                "stopped | no users",
                "playing 0:00 | no users",
                "playing 0:01 | no users",
                "off",
                "playing 0:01 | no users",
                "playing 0:02 | no users",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `an input is processed before the next one is read, even if it stops the loop`() async throws {
        let report = try await player.run(nowhere, input: "p\n" + String(repeating: "t\nx\nx\n", count: 300))
        let played = report.lines.filter { $0.hasPrefix("playing") }
        #expect(report.lines.count == 2 + 3 * 300)
        #expect(played.last == "playing 5:00 | no users")
    }

    @Test func `each answer is written before the next input is read`() async throws {
        let process = try player.start(nowhere)
        process.send("p\n")
        for second in 0..<59 {
            #expect(await process.line { $0 == "playing 0:\(second < 10 ? "0" : "")\(second) | no users" } != nil)
            process.send("t\n")
        }
        process.send("t\n")
        process.closeInput()
        #expect(await process.wait().lines.last == "playing 1:00 | no users")
    }

    @Test(arguments: ["p\ns\n", "p\ns", "p\r\n\r\ns\r\n", "p\ns\nq\np\n"])
    func `the end of the input quits, as q does, and nothing is read after q`(input: String) async throws {
        let report = try await player.run(nowhere, input: input)
        #expect(report.lines.dropFirst(2) == ["stopping | no users", "stopped | no users"])
        #expect(report.status == 0)
    }

    @Test(arguments: ["x\n", "x\nq\n"])
    func `the player quits while the loop is stopped`(input: String) async throws {
        let report = try await player.run(nowhere, input: input)
        #expect(report.output == "stopped | no users\noff\n")
        #expect(report.status == 0)
    }

    @Test func `impossible input is reported and ignored, and the status is 1`() async throws {
        let report = try await player.run(nowhere, input: "p\nP\np p\n\u{1B}[2J\nf\nx\nt\nx\nt\n")
        #expect(
            report.lines == [
                "stopped | no users", "playing 0:00 | no users", "off", "playing 0:00 | no users",
                "playing 0:01 | no users",
            ])
        #expect(
            report.error.split(separator: "\n") == [
                #"player: unknown input "P"; h lists the commands"#,
                #"player: unknown input "p p"; h lists the commands"#,
                #"player: unknown input "\u{1B}[2J"; h lists the commands"#,
                "player: f needs the IDs of users, here or on the command line",
                "player: the loop is stopped; x starts it",
            ])
        #expect(report.status == 1)
    }

    @Test func `verbose logs each start, event, model and effect to standard error`() async throws {
        let report = try await player.run("--verbose", nowhere, input: "p\nx\nx\ns\nq\n")
        #expect(report.lines.count == 6)
        #expect(
            report.error.split(separator: "\n") == [
                "player: Initializing loop",
                "player: Loop initialized, starting from model: stopped | no users",
                "player: Event received: play",
                "player: Model updated: playing 0:00 | no users",
                "player: Initializing loop",
                "player: Loop initialized, starting from model: playing 0:00 | no users",
                "player: Event received: stop",
                "player: Model updated: stopping | no users",
                "player: Effect dispatched: stopPlayback",
                "player: Event received: playbackStopped",
                "player: Model updated: stopped | no users",
                "player: Event received: quit",
                "player: Effect dispatched: closeApplication",
            ])
        #expect(report.status == 0)
    }

    @Test func `a refused connection fails the fetch, not the player`() async throws {
        let port = RefusingPort()
        let report = try await player.run("http://127.0.0.1:\(port.number)", "ada", input: "f\n")
        #expect(
            report.lines == [
                "stopped | no users",
                #"stopped | fetching "ada""#,
                "stopped | failed: The host 127.0.0.1:\(port.number) refused the connection, or cannot be reached.",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `help is an option and a command`() async throws {
        let report = try await player.run("--help")
        #expect(report.output.hasPrefix("Usage: player [--verbose] [--trace FILE] SERVER [ID...]"))
        #expect(report.output.contains("q  quits"))
        #expect(report.output.contains("--verbose"))
        #expect(report.status == 0)
        let within = try await player.run(nowhere, input: "h\n")
        #expect(within.output.contains("q  quits"))
        #expect(within.status == 0)
    }

    @Test(arguments: [[], ["--fast"], ["users"], ["ftp://example.org"], ["http://"], ["--verbose=yes", "http://a"]])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(player.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("player: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    @Test func `a closed output ends the program without a message`() async throws {
        let process = try player.startWithFickleReader(nowhere)
        #expect(await process.line { $0 == "closed" } != nil)
        process.send("p\n")
        #expect(await process.wait().error == "status 141\n")
    }

    @Test func `Ctrl-C ends the player`() async throws {
        let process = try player.start(nowhere)
        #expect(await process.line { $0 == "stopped | no users" } != nil)
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.error == "")
        #expect(report.status == 130)
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `on a terminal keys act at once, time passes, and one line is redrawn`() async throws {
        let process = try player.startOnTerminal(nowhere)
        await process.wait { $0.output.contains("stopped | no users") }
        process.send("p")
        await process.wait { $0.output.contains("playing 0:01 | no users") }
        process.send("?")
        await process.wait { $0.output.contains(#"unknown input "?""#) }
        process.send("s")
        await process.wait { $0.output.hasSuffix("stopped | no users\u{1B}[K") }
        process.send("x")
        await process.wait { $0.output.hasSuffix("off\u{1B}[K") }
        process.send("x\rq")
        let report = await process.wait()
        // The list of commands and the complaint stay on the screen.
        #expect(report.terminalLines.first == "p  plays")
        #expect(!report.terminalLines.contains { $0.contains(" | ") || $0 == "off" })
        #expect(report.status == 0)
    }
}

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
final class PlayerHTTPTests {
    let player = Playground("player")
    let server: HTTPTestServer
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("Ada Lovelace\n1815\n".utf8).write(to: directory.appending(path: "ada"))
        try Data("Grace Hopper".utf8).write(to: directory.appending(path: "grace"))
        server = try await HTTPTestServer.start(directory: directory.path)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    @Test func `users are fetched, in the order of their IDs, while it plays`() async throws {
        let process = try player.start(server.url("/file/"), "grace", "ada")
        process.send("p\nf\n")
        #expect(await process.line { $0.contains("Grace") } != nil)
        process.send("t\nf ada\n")
        #expect(await process.line { $0.hasSuffix("| Ada Lovelace") } != nil)
        process.send("s\nq\n")
        let report = await process.wait()
        #expect(
            report.lines == [
                "stopped | no users",
                "playing 0:00 | no users",
                #"playing 0:00 | fetching "grace", "ada""#,
                "playing 0:00 | Grace Hopper, Ada Lovelace",
                "playing 0:01 | Grace Hopper, Ada Lovelace",
                #"playing 0:01 | fetching "ada""#,
                "playing 0:01 | Ada Lovelace",
                "stopping | Ada Lovelace",
                "stopped | Ada Lovelace",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test(arguments: [
        ("file/nobody", "The server answered with status 404 "),
        ("status/500", "The server answered with status 500 "),
        ("drop", "The host 127.0.0.1:PORT closed the connection without sending anything."),
        ("drop-after/5/10", "The connection to 127.0.0.1:PORT was lost after 5 bytes of 10 bytes."),
        ("empty", #"The server has no name for "empty"."#),
        ("binary/1000", #"The server has no name for "binary/1000"."#),
    ])
    func `a failed fetch shows the reason, and the next one succeeds`(id: String, words: String) async throws {
        let process = try player.start(server.url(""))
        process.send("f file/ada \(id)\n")
        let expected = "stopped | failed: " + words.replacing("PORT", with: "\(server.port)")
        #expect(await process.line { $0.hasPrefix(expected) } != nil)
        process.send("f file/ada\n")
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines.last == "stopped | Ada Lovelace")
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `a new fetch replaces a stalled one`() async throws {
        let process = try player.start(server.url(""))
        process.send("f stall\n")
        #expect(await server.requested("/stall"))
        process.send("f file/ada\n")
        #expect(await server.gone("/stall"))
        process.closeInput()
        let report = await process.wait()
        #expect(
            report.lines == [
                "stopped | no users", #"stopped | fetching "stall""#, #"stopped | fetching "file/ada""#,
                "stopped | Ada Lovelace",
            ])
    }

    @Test func `a stop cancels a stalled fetch, and the next start does not show it`() async throws {
        let process = try player.start("--verbose", server.url(""))
        process.send("p\nf stall\n")
        #expect(await server.requested("/stall"))
        process.send("x\n")
        #expect(await server.gone("/stall"))
        process.send("x\nt\nf file/ada\n")
        process.closeInput()
        let report = await process.wait()
        #expect(
            report.lines == [
                "stopped | no users",
                "playing 0:00 | no users",
                #"playing 0:00 | fetching "stall""#,
                "off",
                "playing 0:00 | no users",
                "playing 0:01 | no users",
                #"playing 0:01 | fetching "file/ada""#,
                "playing 0:01 | Ada Lovelace",
            ])
        #expect(!report.error.contains("fetchFailed"))
        #expect(report.status == 0)
    }

    @Test func `the end of the input waits for a fetch`() async throws {
        let process = try player.start(server.url(""))
        process.send("f drip/a/10/10\n")
        process.closeInput()
        #expect(await server.requested("/drip/a/10/10"))
        _ = try await ResourceLoader.live().load(server.url("/release/a"))
        let report = await process.wait()
        #expect(report.lines.last == "stopped | The quick ")
        #expect(report.status == 0)
    }

    @Test(arguments: [("q\n", Int32(0)), (nil, 130)])
    func `q and Ctrl-C do not wait for a fetch`(input: String?, status: Int32) async throws {
        let process = try player.start(server.url(""))
        process.send("f stall\n")
        #expect(await server.requested("/stall"))
        if let input { process.send(input) } else { process.signal(SIGINT) }
        let report = await process.wait()
        #expect(report.lines.last == #"stopped | fetching "stall""#)
        #expect(report.error == "")
        #expect(report.status == status)
    }
}
