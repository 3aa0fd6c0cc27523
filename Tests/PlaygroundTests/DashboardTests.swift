import ArchitectureTesting
import Dispatcher
import ExampleDispatchers
import Foundation
import PlaygroundTestSupport
import ResourceLoading
import TerminalSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct DashboardTests {
    let dashboard = Playground("dashboard")

    @Test func `the dashboard gives each child its part and its environment`() {
        let summary = ResourceSummary(size: 0, type: "text/plain", preview: .empty)
        let environment = DashboardEnvironment(
            randomness: Randomness { $0.upperBound },
            loader: ResourceLoader { _ in
                ResourceLoader.Events {
                    $0.yield(.loaded(summary))
                    $0.finish()
                }
            })
        let test = TestDriver(dashboardDispatcher, state: DashboardState(), environment: environment)
        test.send(.stepper(.tapIncrement)) { $0.stepper = 1 }
        test.send(.die(id: 2, .roll(sides: 6))) { dashboard in
            dashboard.dice[1].die.number = 6
            dashboard.dice[1].die.rolls = 1
        }
        test.send(.addDie) { $0.dice.append(NumberedDie(id: 3)) }
        test.send(.die(id: 99, .roll(sides: 6)))
        let load = test.send(.screen(.load(location: "somewhere"))) { $0.screen = .loading(nil) }
        test.change(from: load) { $0.screen = .loaded(summary) }
        test.finish()
    }

    @Test func `each input changes its part, which is marked with a star`() async throws {
        let report = try await dashboard.run("--seed", "3", input: "+\n+\n-\nroll 2\nadd\nroll 3\nq\n")
        #expect(
            report.lines == [
                "stepper: 0 | die 1: - | die 2: - | screen: empty",
                "*stepper: 1 | die 1: - | die 2: - | screen: empty",
                "*stepper: 2 | die 1: - | die 2: - | screen: empty",
                "*stepper: 1 | die 1: - | die 2: - | screen: empty",
                "stepper: 1 | die 1: - | *die 2: 1 | screen: empty",
                "stepper: 1 | die 1: - | die 2: 1 | *die 3: - | screen: empty",
                "stepper: 1 | die 1: - | die 2: 1 | *die 3: 5 | screen: empty",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `a roll that shows the same number is a change too`() async throws {
        let report = try await dashboard.run(input: String(repeating: "roll 1\n", count: 50))
        #expect(report.lines.count == 51)
        #expect(report.lines.dropFirst().allSatisfy { $0.contains("| *die 1: ") })
    }

    @Test func `a seed repeats the rolls`() async throws {
        let input = String(repeating: "roll 1\nroll 2\n", count: 25)
        let first = try await dashboard.run("--seed", "1", input: input)
        #expect(try await dashboard.run("--seed", "1", input: input).output == first.output)
        #expect(try await dashboard.run("--seed", "2", input: input).output != first.output)
        #expect(try await dashboard.run(input: input).output != first.output)
    }

    @Test func `the end of the input waits for a load`() async throws {
        let report = try await dashboard.run(input: "load \(#filePath)")
        #expect(report.lines[1] == "stepper: 0 | die 1: - | die 2: - | *screen: loading")
        #expect(report.lines.last?.contains("| *screen: loaded: ") == true)
        #expect(report.lines.last?.hasSuffix(" bytes) of text/x-swift") == true)
        #expect(report.status == 0)
    }

    @Test func `a failed load shows the reason, and the dashboard continues`() async throws {
        let process = try dashboard.start()
        process.send("load /no/such/file\n")
        #expect(await process.line { $0.hasSuffix("*screen: failed: There is no file /no/such/file.") } != nil)
        process.send("+\n")
        process.closeInput()
        let report = await process.wait()
        #expect(
            report.lines.last
                == "*stepper: 1 | die 1: - | die 2: - | screen: failed: There is no file /no/such/file.")
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `the end of the input waits for a load that fails`() async throws {
        for _ in 0..<20 {
            let report = try await dashboard.run(input: "load /no/such/file\n")
            #expect(report.lines.last?.hasSuffix("*screen: failed: There is no file /no/such/file.") == true)
        }
    }

    @Test func `a failed load does not affect the next one`() async throws {
        for _ in 0..<20 {
            let report = try await dashboard.run(input: "load /no/such/file\nload \(#filePath)\n")
            #expect(report.lines.last?.contains("| *screen: loaded: ") == true)
        }
    }

    @Test func `unknown input is reported and ignored, and the status is 1`() async throws {
        let report = try await dashboard.run(
            input: "+\n\n*\nroll\nroll x\nroll 3\nload\n+ 1\nload \nq now\n\u{1B}[2J\n+\n")
        #expect(report.lines.map { $0.prefix { $0 != "|" } } == ["stepper: 0 ", "*stepper: 1 ", "*stepper: 2 "])
        #expect(
            report.error.split(separator: "\n") == [
                #"dashboard: unknown input "*"; help lists the commands"#,
                "dashboard: roll needs a number, as in roll 1",
                "dashboard: roll needs a number, as in roll 1",
                "dashboard: there is no die 3; add adds a die",
                "dashboard: load needs a path or a URL, as in load README.md",
                #"dashboard: unknown input "+ 1"; help lists the commands"#,
                "dashboard: load needs a path or a URL, as in load README.md",
                #"dashboard: unknown input "q now"; help lists the commands"#,
                #"dashboard: unknown input "\u{1B}[2J"; help lists the commands"#,
            ])
        #expect(report.status == 1)
    }

    @Test func `help is an option and a command`() async throws {
        let report = try await dashboard.run("--help")
        #expect(report.output.hasPrefix("Usage: dashboard"))
        #expect(report.output.contains("roll N  "))
        #expect(report.status == 0)
        let within = try await dashboard.run(input: "help\n")
        #expect(within.output.contains("roll N  "))
        #expect(within.status == 0)
    }

    @Test(arguments: [["--fast"], ["load"], ["--seed", "x"]])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(dashboard.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("dashboard: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    @Test func `a closed output ends the program without a message`() async throws {
        let process = try dashboard.startWithFickleReader()
        #expect(await process.line { $0 == "closed" } != nil)
        process.send("+\n")
        #expect(await process.wait().error == "status 141\n")
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `a terminal shows a prompt`() async throws {
        let process = try dashboard.startOnTerminal()
        await process.wait { $0.output.contains("> ") }
        process.send("+\n")
        await process.wait { $0.terminalLines.contains("*stepper: 1 | die 1: - | die 2: - | screen: empty") }
        process.send("q\n")
        #expect(await process.wait().status == 0)
    }

    @Test func `progress longer than the terminal's width loses its beginning`() throws {
        let terminal = try TestTerminal()
        terminal.console.update(String(repeating: "x", count: 100) + "*screen: loading: 28 bytes")
        let line = try #require(Screen(terminal.output()).lines.last)
        #expect(line.hasPrefix("…xxx") && line.hasSuffix("x*screen: loading: 28 bytes"))
        #expect(line.count == 77)
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `the prompt is shown again after Ctrl-Z and fg`() async throws {
        let shell = try Playground.startShellOnTerminal()
        shell.send("'\(dashboard.path)'\n")
        await shell.wait { $0.output.hasSuffix("> ") }
        shell.send("\u{1A}")
        await shell.wait { $0.output.contains("Stopped") || $0.output.contains("Suspended") }
        shell.send("fg\n")
        await shell.wait { $0.output.components(separatedBy: "fg\r\n").last?.hasSuffix("> ") == true }
        shell.send("+\n")
        await shell.wait { $0.terminalLines.contains("*stepper: 1 | die 1: - | die 2: - | screen: empty") }
        shell.send("q\n")
        shell.send("exit 7\n")
        #expect(await shell.wait().status == 7)
    }
}

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct DashboardHTTPTests {
    let dashboard = Playground("dashboard")
    let server: HTTPTestServer

    init() async throws {
        server = try await HTTPTestServer.start()
    }

    @Test func `other parts change while a load runs`() async throws {
        let process = try dashboard.start()
        process.send("load \(server.url("/drip/a/1000/1000"))\n")
        #expect(await process.line { $0.hasSuffix("*screen: loading: 0 bytes of 1.0 kB") } != nil)
        process.send("+\nroll 1\n")
        #expect(await process.line { $0.contains("*die 1: ") && $0.hasSuffix("loading: 0 bytes of 1.0 kB") } != nil)
        process.closeInput()
        _ = try await ResourceLoader.live().load(server.url("/release/a"))
        let report = await process.wait()
        #expect(report.lines.last?.hasPrefix("stepper: 1 | die 1: ") == true)
        #expect(report.lines.last?.hasSuffix("| *screen: loaded: 1.0 kB (1000 bytes) of text/plain") == true)
        #expect(report.status == 0)
    }

    @Test func `progress takes one line of a terminal, and typed text stays visible`() async throws {
        let process = try dashboard.startOnTerminal()
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

    @Test func `stop cancels a load, and no later progress is shown`() async throws {
        let process = try dashboard.start()
        process.send("load \(server.url("/stall-after/0/1000"))\n")
        #expect(await process.line { $0.hasSuffix("*screen: loading: 0 bytes of 1.0 kB") } != nil)
        process.send("stop\n+\n")
        process.closeInput()
        let report = await process.wait()
        #expect(
            report.lines.suffix(2) == [
                "stepper: 0 | die 1: - | die 2: - | *screen: cancelled after 0 bytes of 1.0 kB",
                "*stepper: 1 | die 1: - | die 2: - | screen: cancelled after 0 bytes of 1.0 kB",
            ])
        #expect(report.status == 0)
        #expect(await server.gone("/stall-after/0/1000"))
    }

    @Test func `a new load replaces the running one`() async throws {
        let process = try dashboard.start()
        process.send("load \(server.url("/stall-after/0/1000"))\n")
        #expect(await process.line { $0.hasSuffix("*screen: loading: 0 bytes of 1.0 kB") } != nil)
        process.send("load \(server.url("/bytes/7"))\n")
        #expect(await process.line { $0.hasSuffix("*screen: loaded: 7 bytes of text/plain") } != nil)
        #expect(await server.gone("/stall-after/0/1000"))
        process.closeInput()
        #expect(await process.wait().status == 0)
    }

    @Test func `q and Ctrl-C do not wait for a load`() async throws {
        for (input, status) in [("q\n", Int32(0)), (nil, 130)] {
            let process = try dashboard.start()
            process.send("load \(server.url("/stall-after/0/1000"))\n")
            #expect(await process.line { $0.hasSuffix("*screen: loading: 0 bytes of 1.0 kB") } != nil)
            if let input { process.send(input) } else { process.signal(SIGINT) }
            #expect(await process.wait().status == status)
        }
    }
}
