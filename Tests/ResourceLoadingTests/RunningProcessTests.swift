import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

/// Tests of the test tool, with programs that every system has.
@Suite(.promptly, .timeLimit(.minutes(10))) struct RunningProcessTests {
    @Test func `a process is fed and heard`() async throws {
        let report = try await RunningProcess.run("cat", input: "one\ntwo\nthree")
        #expect(report.lines == ["one", "two", "three"])
        #expect(report.completeLines == ["one", "two"])
        #expect(report.status == 0)
        #expect(report.error == "")
    }

    @Test func `more than a pipe holds goes through`() async throws {
        let text = String(repeating: "0123456789\n", count: 100_000)
        #expect(try await RunningProcess.run("cat", input: text).output == text)
    }

    @Test func `status and standard error`() async throws {
        let report = try await RunningProcess.run(
            "sh", ["-c", "echo $WORD >&2; echo peak memory: 12 bytes >&2; exit 7"], environment: ["WORD": "no"])
        #expect(report.status == 7)
        #expect(report.error == "no\npeak memory: 12 bytes\n")
        #expect(report.peakMemory == 12)
        #expect(report.lines == [])
    }

    @Test func `an interrupt after some output`() async throws {
        let process = try RunningProcess("sh", ["-c", "trap 'echo caught; exit 5' INT; echo ready; read line"])
        #expect(await process.line { $0 == "ready" } == "ready")
        process.signal(SIGINT)
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines == ["ready", "caught"])
        #expect(report.status == 5)
    }

    @Test func `an interrupt that nobody catches`() async throws {
        let process = try RunningProcess("cat")
        process.signal(SIGINT)
        #expect(await process.wait().status == 130)
    }

    @Test func `a process that cannot be started says so`() {
        let error = #expect(throws: RunningProcess.StartError.self) { _ = try RunningProcess("/no/such/program") }
        #expect(error?.description == "/no/such/program cannot be started: No such file or directory.")
    }

    @Test func `a line that never comes is nil when the process ends`() async throws {
        let process = try RunningProcess("echo", ["something"])
        #expect(await process.line { $0 == "else" } == nil)
    }

    @Test func `a test that gives up kills the process`() async throws {
        let process = try RunningProcess("cat")
        let waiting = Task { await process.wait() }
        waiting.cancel()
        #expect(await waiting.value.status == 128 + SIGKILL)
    }
}

/// The trait that lets a test respond to a process while other tests compute.
@Suite(.timeLimit(.minutes(10))) struct PromptlyTests {
    @Test(.promptly) func `a test that has to go promptly is more urgent`() {
        #expect(Task.currentPriority >= .high)
    }

    @Suite(.promptly, .timeLimit(.minutes(10))) struct OfASuite {
        @Test func `and so is each of a suite`() {
            #expect(Task.currentPriority >= .high)
        }
    }

    @Test func `what happens in it is what happens in the test`() async {
        await #expect(throws: CancellationError.self) {
            try await Promptly.promptly.provideScope(for: #require(Test.current), testCase: nil) {
                #expect(Test.current?.name.contains("what happens") == true)
                throw CancellationError()
            }
        }
    }
}
