import ArchitectureTesting
import Dispatcher
import ExampleDispatchers
import Foundation
import FunctionalCore
import PlaygroundTestSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct StepperTests {
    let stepper = Playground("stepper")

    @Test func `the stepper counts up and down`() {
        let test = TestDriver(stepperDispatcher, state: 7, environment: ())
        test.send(.tapIncrement) { $0 = 8 }
        test.send(.tapDecrement) { $0 = 7 }
        test.finish()
    }

    @Test func `prints the first state, then one for each input`() async throws {
        let report = try await stepper.run(input: "+\n+\n-\nq\n")
        #expect(report.output == "0\n1\n2\n1\n")
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `input after q is not read`() async throws {
        #expect(try await stepper.run(input: "q\n+\n").output == "0\n")
    }

    @Test(arguments: ["-\n-\n", "-\n-", "\n-\r\n\n-\n"])
    func `the end of the input quits, as q does`(input: String) async throws {
        let report = try await stepper.run(input: input)
        #expect(report.output == "0\n-1\n-2\n")
        #expect(report.status == 0)
    }

    @Test func `each state is written before the next input is read`() async throws {
        let process = try stepper.start()
        for count in 0..<100 {
            #expect(await process.line { $0 == "\(count)" } != nil)
            process.send("+\n")
        }
        process.closeInput()
        #expect(await process.wait().lines == (0...100).map(String.init))
    }

    @Test func `unknown input is reported and ignored, and the status is 1`() async throws {
        let report = try await stepper.run(input: "+\nx\n\u{1B}[2J\n++\n+\nq\n")
        #expect(report.output == "0\n1\n2\n")
        #expect(
            report.error.split(separator: "\n") == [
                #"stepper: unknown input "x"; + counts up, - counts down, q quits"#,
                #"stepper: unknown input "\u{1B}[2J"; + counts up, - counts down, q quits"#,
                #"stepper: unknown input "++"; + counts up, - counts down, q quits"#,
            ])
        #expect(report.status == 1)
    }

    @Test func `bytes that are not text are unknown input`() async throws {
        let process = try RunningProcess("sh", ["-c", #"printf '\377\000\n+\n' | "$0""#, stepper.path])
        let report = await process.wait()
        #expect(report.output == "0\n1\n")
        #expect(report.error.hasPrefix(#"stepper: unknown input "\#u{FFFD}\0";"#))
    }

    @Test func `help prints the usage`() async throws {
        let report = try await stepper.run("--help")
        #expect(report.output.hasPrefix("Usage: stepper"))
        #expect(report.output.contains("exit status"))
        #expect(report.status == 0)
    }

    @Test(arguments: ["--fast", "5"])
    func `an invalid command line fails with status 64`(argument: String) async throws {
        let report = try await stepper.run(argument)
        #expect(report.output == "")
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.error.contains(argument))
        #expect(report.status == 64)
    }

    @Test func `a closed output ends the program without a message`() async throws {
        let process = try stepper.startWithFickleReader()
        #expect(await process.line { $0 == "closed" } != nil)
        process.send("+\n")
        #expect(await process.wait().error == "status 141\n")
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `on a terminal each key counts at once, and the status stays 0 after unknown input`() async throws {
        let process = try stepper.startOnTerminal()
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

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `Ctrl-Z restores the terminal, and after fg each key counts at once`() async throws {
        let shell = try Playground.startShellOnTerminal()
        shell.send("'\(stepper.path)'\n")
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

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `Ctrl-C leaves no hint on the screen`() async throws {
        let process = try stepper.startOnTerminal()
        await process.wait { $0.output.contains("q quit") }
        process.send("\u{3}")
        let report = await process.wait()
        #expect(Screen(report.output).lines == ["0"])
    }

    @Test(arguments: [("</tmp", "Is a directory"), ("<&-", "Bad file descriptor")])
    func `an input that cannot be read is a failure`(redirection: String, reason: String) async throws {
        let process = try RunningProcess("sh", ["-c", #""$0" \#(redirection)"#, stepper.path])
        let report = await process.wait()
        #expect(report.output == "0\n")
        #expect(report.error == "The input cannot be read: \(reason)\n")
        #expect(report.status == 1)
    }

    @Test func `white space around an input is ignored`() async throws {
        let report = try await stepper.run(input: "  +\n+ \t\r\n -\n")
        #expect(report.output == "0\n1\n2\n1\n")
        #expect(report.error == "")
    }
}

extension RunningProcess.Report {
    /// The lines as a terminal shows them, without replaced text.
    var terminalLines: [String] {
        output.split(separator: "\r\n").map { line in
            String(line.split(separator: "\r").last ?? "").replacing("\u{1B}[K", with: "")
        }
    }
}
