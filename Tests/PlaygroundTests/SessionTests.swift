import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

/// Each program as a process, under pipes: what it prints for an input, and its exit status.
@Suite(.promptly, .timeLimit(.minutes(10))) struct SessionTests {
    @Test(arguments: Session.all.filter { !$0.needsServer })
    func `a program without a server prints this, and ends with this status`(session: Session) async throws {
        try await session.check()
    }

    @Test(
        .enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement),
        arguments: Session.all.filter(\.needsServer))
    func `a program with a server prints this, and ends with this status`(session: Session) async throws {
        try await session.check()
    }

    // MARK: - What all programs promise

    @Test(arguments: [
        ("stepper", "[--trace FILE]", "exit status"),
        ("die", "[--seed N] [--sides N] [--trace FILE] [ROLLS]", "--seed N"),
        ("dashboard", "[--seed N] [--trace FILE]", "roll N  "), ("screen-loader", "[--trace FILE] LOCATION", "130"),
        ("player", "[--verbose] [--trace FILE] [SERVER [ID...]]", "q  quits"),
        ("player", "[--verbose] [--trace FILE] [SERVER [ID...]]", "users ada, alan, grace."),
        ("posts", "[--verbose] [--no-wait] [--trace FILE] [SERVER]", "delete ID          deletes a post"),
        ("posts", "[--verbose] [--no-wait] [--trace FILE] [SERVER]", #"{"id": 1, "title": "First", "body": "Hello."}"#),
        ("fetch-many", "[OPTIONS] LOCATION…", "--retries N"), ("check-laws", "[--trace FILE]", "on purpose"),
    ])
    func `help prints the usage`(name: String, usage: String, detail: String) async throws {
        let report = try await run("\(name) --help")
        #expect(report.lines.first == "Usage: \(name) \(usage)")
        #expect(report.output.contains(detail))
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test(
        arguments: [
            ("stepper --fast", "--fast"), ("stepper 5", "5"), ("check-laws --fast", "--fast"), ("check-laws 5", "5"),
            ("die --seed x", "not x"), ("die --seed", "needs a value"), ("die --seed -1", "not -1"),
            ("die --sides 1", "needs a whole number from 2 to 1000000, not 1"),
            ("die --sides 1000001", "not 1000001"), ("die x", "ROLLS must be a whole number, not x"), ("die -5", "-5"),
            ("die 1 2", "unexpected argument 2"),
            ("dashboard --fast", "--fast"), ("dashboard load", "load"), ("dashboard --seed x", "not x"),
            ("screen-loader", "missing"), ("screen-loader one two", "two"), ("screen-loader --fast", "--fast"),
            ("player --fast", "--fast"), ("player --verbose=yes http://a", "takes no value"),
            ("posts --fast http://a", "--fast"),
            ("posts --verbose=yes http://a", "takes no value"),
            ("posts http://a http://b", "unexpected argument http://b"),
            ("fetch-many", "missing"), ("fetch-many x --at-once 0", "not 0"), ("fetch-many x --retries -1", "not -1"),
            ("fetch-many x --timeout 1s", "needs a whole number of milliseconds from 1 to 2147483647, not 1s"),
            ("fetch-many x --timeout 0", "not 0"), ("fetch-many x --timeout 9999999999", "not 9999999999"),
        ]
            + ["player", "posts"].flatMap { name in
                ["users", "ftp://example.org", "http://"].map {
                    ("\(name) \($0)", "begins with http:// or https://, not \"\($0)\"")
                }
            }
    )
    func `an invalid command line is reported on one line that names the problem, with status 64`(
        command: String, problem: String
    ) async throws {
        try await expectUsageError(command, problem)
    }

    @Test(
        arguments: ["stepper", "die", "dashboard", "screen-loader x", "player", "posts", "fetch-many x", "check-laws"],
        ["trace.txt", "/none/trace.jsonl", "/none/trace.json"])
    func `a trace that cannot be written is reported in the same way`(command: String, file: String) async throws {
        try await expectUsageError("\(command) --trace \(file)", "\"\(file)\"")
    }

    @Test(arguments: [
        "stepper", "die", "dashboard", "screen-loader x", "player", "posts", "fetch-many x", "check-laws",
    ])
    func `a trace replaces nothing, unless that is asked for`(command: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "package.json")
        try Data("kept".utf8).write(to: file)
        try await expectUsageError("\(command) --trace \(file.path)", "exists; to replace it, add --force")
        #expect(try String(contentsOf: file, encoding: .utf8) == "kept")
        let pipe = folder.appending(path: "pipe.jsonl")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try await expectUsageError("\(command) --force --trace \(pipe.path)", "which is not a regular file")
    }

    private func expectUsageError(_ command: String, _ problem: String) async throws {
        let report = try await run(command)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("\(command.prefix { $0 != " " }): "))
        #expect(report.error.contains(problem))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    /// Runs a program with an input.
    private func run(_ command: String, input: String = "") async throws -> RunningProcess.Report {
        let words = command.split(separator: " ").map(String.init)
        return try await RunningProcess.run(Executables.path(words[0]), Array(words.dropFirst()), input: input)
    }

    @Test(arguments: [
        ("stepper", "+\n"), ("die", "r\n"), ("dashboard", "+\n"), ("player http://127.0.0.1:9", "p\n"),
        ("posts http://127.0.0.1:9", "help\n"),
        ("screen-loader /dev/stdin", "text"),
    ])
    func `a closed output ends the program without a message`(command: String, input: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let process = try Playground(words[0]).startWithFickleReader(Array(words.dropFirst()))
        // The program of posts prints nothing at first.
        if words[0] == "posts" { process.send(input) }
        #expect(await process.line { $0 == "closed" } != nil)
        process.send(input)
        process.closeInput()
        #expect(await process.wait().error == "status 141\n")
    }

    @Test(arguments: [("</tmp", "Is a directory"), ("<&-", "Bad file descriptor")])
    func `an input that cannot be read is a failure`(redirection: String, reason: String) async throws {
        let path = Executables.path("stepper")
        let report = try await RunningProcess.run("sh", ["-c", #""$0" \#(redirection)"#, path])
        #expect(report.output == "0\n")
        #expect(report.error == "The input cannot be read: \(reason)\n")
        #expect(report.status == 1)
    }

    @Test func `bytes that are not text are unknown input`() async throws {
        let report = try await RunningProcess.run(
            "sh", ["-c", #"printf '\377\000\n+\n' | "$0""#, Executables.path("stepper")])
        #expect(report.output == "0\n1\n")
        #expect(report.error.hasPrefix(#"stepper: unknown input "\#u{FFFD}\0";"#))
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `exceeding the total time limit is reported`() async throws {
        let server = try await HTTPTestServer.start()
        let location = server.url("/stall")
        let report = try await run("fetch-many \(location) --total 2000")
        #expect(report.lines.last == "loaded 0 of 1")
        // On a busy machine, the time may be over before the load has started.
        let ends = ["The load was stopped after 0 bytes.", "The load did not start."].map { end in
            """
            fetch-many: \(location): \(end)
            fetch-many: the loads took longer than 2.0 seconds; --total raises the limit

            """
        }
        #expect(ends.contains(report.error))
        #expect(report.status == 1)
    }

    // MARK: - Repeated runs

    @Test(arguments: [
        ("die --seed 7 50", "die --seed=7 50", "die --seed 8 50", ""),
        ("die --seed 7 50", "die --seed 7", "die 50", String(repeating: "r\n", count: 50)),
        (
            "dashboard --seed 1", "dashboard --seed 1", "dashboard --seed 2",
            String(repeating: "roll 1\nroll 2\n", count: 25)
        ),
        ("dashboard --seed 1", "dashboard --seed=1", "dashboard", String(repeating: "roll 1\nroll 2\n", count: 25)),
    ])
    func `a seed repeats the rolls, and another or none does not`(
        command: String, same: String, other: String, input: String
    ) async throws {
        let first = try await run(command, input: input).lines
        #expect(first.count == 51)
        #expect(try await run(same, input: input).lines == first)
        // Equal by chance once in 6 to the power of 50.
        #expect(try await run(other, input: input).lines != first)
    }

    @Test func `without a seed no two runs roll the same`() async throws {
        // Equal by chance once in 6 to the power of 100.
        #expect(try await run("die 100").lines != run("die 100").lines)
    }

    @Test func `a seed repeats the values of a check of laws`() async throws {
        func output() async throws -> String {
            try await Playground("check-laws").run(environment: ["PROPERTY_SEED": "7"]).output
        }
        #expect(try await output() == output())
    }

    @Test func `a die has the numbers of its sides`() async throws {
        let six = try await run("die 2000", input: "q\n").lines
        #expect(six.count == 2_001)
        #expect(Set(six) == Set(["not rolled yet"] + (1...6).map(String.init)))
        let numbers = try await run("die --seed 1 --sides 1000 100").lines.compactMap { Int($0) }
        #expect(numbers.count == 100)
        #expect(numbers.allSatisfy { (1...1_000).contains($0) } && numbers.contains { $0 > 6 })
    }

    @Test func `a roll that shows the same number is a change too`() async throws {
        let report = try await run("dashboard", input: String(repeating: "roll 1\n", count: 50))
        #expect(report.lines.count == 51)
        #expect(report.lines.dropFirst().allSatisfy { $0.contains("| *die 1: ") })
    }

    @Test func `the end of the input waits for a load that fails, and one does not affect the next`() async throws {
        for _ in 0..<20 {
            let input = "load /no/such/file\n"
            let failed = try await run("dashboard", input: input)
            #expect(failed.lines.last?.hasSuffix("*screen: failed: There is no file /no/such/file.") == true)
            let loaded = try await run("dashboard", input: input + "load \(#filePath)\n")
            #expect(loaded.lines.last?.contains("| *screen: loaded: ") == true)
        }
    }

    @Test func `an input is processed before the next one is read, even if it stops the loop`() async throws {
        let input = "p\n" + String(repeating: "t\nx\nx\n", count: 300)
        let report = try await run("player http://127.0.0.1:9", input: input)
        #expect(report.lines.count == 2 + 3 * 300)
        #expect(report.lines.last { $0.hasPrefix("playing") } == "playing 5:00 | no users")
    }

    @Test(
        .enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement),
        .enabled(if: !isSanitized, "sanitizers use additional memory"),
        arguments: [
            ("screen-loader", ["100000000"], "loaded: 100.0 MB"),
            ("fetch-many", ["200000000/a", "200000000/b"], "loaded 2"),
        ])
    func `memory does not grow with the loaded bytes`(name: String, sizes: [String], end: String) async throws {
        let server = try await HTTPTestServer.start()
        let options = sizes.count > 1 ? ["--timeout", "600000"] : []
        let report = try await RunningProcess.run(
            Executables.path(name), sizes.map { server.url("/bytes/\($0)") } + options,
            environment: ["REPORT_PEAK_MEMORY": "1"])
        #expect(report.lines.contains { $0.hasPrefix(end) })
        #expect(report.status == 0)
        #expect(try #require(report.peakMemory) <= 80_000_000)
    }
}
