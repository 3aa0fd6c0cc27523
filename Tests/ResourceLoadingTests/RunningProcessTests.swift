import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

/// Tests of the test tool, with programs that every system has.
@Suite(.promptly, .timeLimit(.minutes(10))) struct RunningProcessTests {
    @Test func `a process receives its input, and its output is read`() async throws {
        let report = try await RunningProcess.run("cat", input: "one\ntwo\nthree")
        #expect(report.lines == ["one", "two", "three"])
        #expect(report.completeLines == ["one", "two"])
        #expect(report.status == 0)
        #expect(report.error == "")
    }

    @Test func `more bytes than a pipe holds are passed through`() async throws {
        let text = String(repeating: "0123456789\n", count: 100_000)
        #expect(try await RunningProcess.run("cat", input: text).output == text)
    }

    @Test func `the report has the status and standard error`() async throws {
        let report = try await RunningProcess.run(
            "sh", ["-c", "echo $WORD >&2; echo peak memory: 12 bytes >&2; exit 7"], environment: ["WORD": "no"])
        #expect(report.status == 7)
        #expect(report.error == "no\npeak memory: 12 bytes\n")
        #expect(report.peakMemory == 12)
        #expect(report.lines == [])
    }

    @Test func `a process can handle an interrupt after some output`() async throws {
        let process = try RunningProcess("sh", ["-c", "trap 'echo caught; exit 5' INT; echo ready; read line"])
        #expect(await process.line { $0 == "ready" } == "ready")
        process.signal(SIGINT)
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines == ["ready", "caught"])
        #expect(report.status == 5)
    }

    @Test func `an unhandled interrupt ends the process with status 130`() async throws {
        let process = try RunningProcess("cat")
        process.signal(SIGINT)
        #expect(await process.wait().status == 130)
    }

    @Test func `a process that cannot be started fails with the reason`() {
        let error = #expect(throws: RunningProcess.StartError.self) { _ = try RunningProcess("/no/such/program") }
        #expect(error?.description == "/no/such/program cannot be started: No such file or directory.")
    }

    @Test func `a missing line is nil when the process ends`() async throws {
        let process = try RunningProcess("echo", ["something"])
        #expect(await process.line { $0 == "else" } == nil)
    }

    @Test func `cancelling the wait kills the process`() async throws {
        let process = try RunningProcess("cat")
        let waiting = Task { await process.wait() }
        waiting.cancel()
        #expect(await waiting.value.status == 128 + SIGKILL)
    }
}

/// The trait that lets a test respond to a process while other tests compute.
@Suite(.timeLimit(.minutes(10))) struct PromptlyTests {
    @Test(.promptly) func `a prompt test has a high priority`() {
        #expect(Task.currentPriority >= .high)
    }

    @Suite(.promptly, .timeLimit(.minutes(10))) struct OfASuite {
        @Test func `each test of a prompt suite has a high priority`() {
            #expect(Task.currentPriority >= .high)
        }
    }

    @Test func `errors and the current test pass through the trait`() async {
        await #expect(throws: CancellationError.self) {
            try await Promptly.promptly.provideScope(for: #require(Test.current), testCase: nil) {
                #expect(Test.current?.name.contains("errors and the current test") == true)
                throw CancellationError()
            }
        }
    }
}
