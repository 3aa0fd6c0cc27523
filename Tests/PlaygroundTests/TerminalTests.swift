import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

/// Programs on a terminal.
@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct TerminalTests {
    @Test func `on a terminal each key counts at once, and the status stays 0 after unknown input`() async throws {
        let process = try Playground("stepper").startOnTerminal()
        await process.wait { $0.output.contains("q quit") }
        process.send("+")
        await process.wait { $0.terminalLines.contains("1") }
        process.send("x")
        await process.wait { $0.output.contains(#"unknown input "x""#) }
        process.send("-\rq")
        let report = await process.wait()
        #expect(report.terminalLines.filter { Int($0) != nil } == ["0", "1", "0"])
        #expect(!report.output.contains("return"))
        #expect(report.status == 0)
    }

    @Test func `a word of unknown keys is one mistake`() async throws {
        let process = try Playground("stepper").startOnTerminal()
        await process.wait { $0.output.contains("q quit") }
        process.send("foo+")
        await process.wait { $0.terminalLines.contains("1") }
        process.send("xq")
        let report = await process.wait()
        #expect(
            report.terminalLines.filter { $0.contains("unknown input") }
                == ["f", "x"].map { "stepper: unknown input \"\($0)\"; + counts up, - counts down, q quits" })
    }

    @Test(
        arguments: ["stepper", "die", "dashboard", "screen-loader", "player", "posts", "fetch-many", "check-laws"],
        [40, 53, 80, 120, 200])
    func `help breaks no word`(name: String, columns: Int) async throws {
        let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).map(String.init) }
        let expected = try await Playground(name).run("--help").output
        let report = try await Playground(name).startOnTerminal(columns: columns, "--help").wait()
        #expect(words(report.output) == words(expected))
        for line in report.output.split(separator: "\r\n") { #expect(line.count <= columns) }
        #expect(report.status == 0)
    }

    @Test(arguments: [40, 80]) func `posts and player in memory break no word`(columns: Int) async throws {
        for (name, input, last) in [
            ("posts", "list\nerror\nshow 1\nfoo\n", "unknown input"), ("player", "f", "Grace"),
        ] {
            let process = try Playground(name).startOnTerminal(columns: columns)
            await process.wait { $0.output.contains("quits") }
            process.send(input)
            await process.wait { $0.output.contains(last) }
            process.send(name == "posts" ? "q\n" : "q")
            let report = await process.wait()
            for line in report.terminalLines { #expect(line.count <= columns) }
            let words = Set(report.output.split(whereSeparator: \.isWhitespace).map(String.init))
            #expect(
                words.isSuperset(of: ["memory,", "requests", "quits"].filter { name == "posts" || $0 != "requests" }))
            #expect(report.status == 0)
        }
    }

    @Test func `Ctrl-Z restores the terminal, and after fg each key counts at once`() async throws {
        let shell = try Playground.startShellOnTerminal()
        shell.send("'\(Playground("stepper").path)'\n")
        await shell.wait { $0.output.contains("q quit") }
        shell.send("+")
        await shell.wait { $0.terminalLines.contains("1") }
        shell.send("\u{1A}")
        await shell.wait { $0.output.contains("Stopped") || $0.output.contains("Suspended") }
        shell.send("stty -a; echo is''known\n")
        let settings = await shell.wait { $0.output.contains("isknown") }
        #expect(settings.output.contains(" icanon") && settings.output.contains(" echo "))
        // Some shells set a mode of their own before they continue a program. This simulates it.
        shell.send("stty sane; fg\n")
        await shell.wait { $0.output.components(separatedBy: "fg\r\n").last?.contains("q quit") == true }
        shell.send("+")
        // The hint follows the line in a write of its own.
        await shell.wait { $0.terminalLines.contains("2") && $0.output.hasSuffix("\u{1B}[K") }
        shell.send("q")
        // The shell's prompt follows the line that the program has erased.
        await shell.wait { !$0.output.hasSuffix("\u{1B}[K") }
        shell.send("exit 7\n")
        #expect(await shell.wait().status == 7)
    }

    @Test func `Ctrl-C leaves no hint on the screen`() async throws {
        let process = try Playground("stepper").startOnTerminal()
        await process.wait { $0.output.contains("q quit") }
        process.send("\u{3}")
        let report = await process.wait()
        #expect(Screen(report.output).lines == ["0"])
    }

    @Test func `return rolls on a terminal`() async throws {
        let process = try Playground("die").startOnTerminal("--seed", "7")
        await process.wait { $0.output.contains("q quit") }
        process.send("\rrq")
        let report = await process.wait()
        #expect(
            report.terminalLines.filter { !$0.isEmpty } == (try await Playground("die").run("--seed", "7", "2").lines))
        #expect(report.status == 0)
    }

    @Test func `the prompt is shown again after Ctrl-Z and fg`() async throws {
        let shell = try Playground.startShellOnTerminal()
        shell.send("'\(Playground("dashboard").path)'\n")
        await shell.wait { $0.output.hasSuffix("> ") }
        shell.send("\u{1A}")
        await shell.wait { $0.output.contains("Stopped") || $0.output.contains("Suspended") }
        shell.send("fg\n")
        await shell.wait { $0.output.components(separatedBy: "fg\r\n").last?.hasSuffix("> ") == true }
        shell.send("+\n")
        await shell.wait {
            $0.terminalLines.contains("*stepper: 1 | die 1: - | die 2: - | screen: empty") && $0.output.hasSuffix("> ")
        }
        shell.send("q\n")
        // The shell's prompt. Before it, the program could read the next line.
        await shell.wait { $0.output.components(separatedBy: "> q\r\n").dropFirst().last?.isEmpty == false }
        shell.send("exit 7\n")
        #expect(await shell.wait().status == 7)
    }

    @Test func `progress takes one line of a terminal, and typed text stays visible`() async throws {
        let server = try await HTTPTestServer.start()
        let process = try Playground("dashboard").startOnTerminal()
        await process.wait { $0.output.contains("> ") }
        process.send("load \(server.url("/bytes/300000000"))\n")
        await process.wait { $0.output.contains("screen: loading: ") && $0.output.split(separator: "> ").count > 2 }
        process.send("ro")
        // The echo of the typed text may be read after the end of a fast load.
        let report = await process.wait {
            $0.output.contains("screen: loaded: 300.0 MB") && Screen($0.output).lines.last == "> ro"
        }
        #expect(Screen(report.output).lines.count { $0.contains("screen: loading: ") } <= 2)
        process.send("ll 1\n")
        await process.wait { $0.output.contains("*die 1: ") }
        process.send("q\n")
        #expect(await process.wait().status == 0)
    }

    @Test func `on a terminal keys act at once, time passes, and one line is redrawn`() async throws {
        let process = try Playground("player").startOnTerminal("http://127.0.0.1:9")
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

    @Test func `on a terminal no line waits, and the prompt lists the requests under way`() async throws {
        let server = try await HTTPTestServer.start()
        try await server.answerPosts("stall")
        let process = try Playground("posts").startOnTerminal(server.url(""))
        process.send("show 1\n")
        await process.wait { $0.output.hasSuffix("showing 1… > \u{1B}[K") }
        process.send("delete 2\n")
        await process.wait { $0.output.hasSuffix("showing 1, deleting 2… > \u{1B}[K") }
        process.send("stop\n")
        await process.wait { $0.output.hasSuffix("\r> \u{1B}[K") }
        try await server.answerPosts("drop")
        process.send("list\n")
        await process.wait { $0.output.hasSuffix("[offline] > \u{1B}[K") && $0.terminalLines.contains("[offline]") }
        try await server.answerPosts("ok")
        process.send("list\n")
        await process.wait { $0.terminalLines.contains("[online again]") && $0.output.hasSuffix("\r> \u{1B}[K") }
        process.send("foo\nq\n")
        let report = await process.wait()
        #expect(report.terminalLines.contains("list               lists the posts"))
        #expect(report.terminalLines.contains("2: Second"))
        #expect(report.terminalLines.contains { $0.hasPrefix("posts: The host ") })
        #expect(report.terminalLines.contains(#"posts: unknown input "foo"; help lists the commands"#))
        #expect(report.status == 0)
    }

    @Test func `a terminal shows a bar for each running load, and a line for each finished one`() async throws {
        let server = try await HTTPTestServer.start()
        let process = try Playground("fetch-many").startOnTerminal(
            server.url("/drip/a/5/10"), server.url("/bytes/7"), "--timeout", "600000")
        let ended = await process.wait {
            $0.output.contains("loaded 7 bytes of text/plain") && $0.output.contains("[ ")
        }
        #expect(!ended.isEnded)
        for _ in 0..<2 { try await server.release("a") }
        let report = await process.wait()
        #expect(report.terminalLines.last == "loaded 2 of 2")
        #expect(report.status == 0)
    }

    @Test func `a terminal shows a bar, then only the result`() async throws {
        let report = try await Playground("screen-loader").startOnTerminal(#filePath).wait()
        #expect(report.output.contains("[ "))
        #expect(report.terminalLines.first?.hasSuffix(" bytes) of text/x-swift") == true)
        #expect(report.status == 0)
    }
}

extension RunningProcess.Report {
    /// The lines as a terminal shows them, without replaced text.
    fileprivate var terminalLines: [String] {
        output.split(separator: "\r\n").map { line in
            String(line.split(separator: "\r").last ?? "").replacing("\u{1B}[K", with: "")
        }
    }
}
