import Foundation
import PlaygroundTestSupport
import Testing

/// One run of a program under pipes: what happens while it runs, and how it has to end.
///
/// In all texts, `SERVER` stands for the address of a test server, `HOST` for its host and port, `REFUSING` for the host
/// and port of a server that refuses connections, and `FILE` and `LINK` for the path and the URL of a text of six lines.
/// In expected output, `…` stands for any text, and a line that is `…` for any lines.
struct Session: CustomTestStringConvertible, Sendable {
    /// What the test does while the program runs, one after the other.
    enum Step: Sendable {
        /// Writes to the standard input.
        case type(String)
        /// Closes the standard input.
        case end
        /// Sends the signal of Ctrl-C.
        case interrupt
        /// Waits for a line of the output that contains this.
        case line(String)
        /// Waits for this number of lines of standard error.
        case errors(Int)
        /// Waits until the server has received a request for the path, or until the client has disconnected.
        case requested(String)
        case gone(String)
        /// Lets the server send more for `/drip/NAME`: once, or until a line of the output contains this.
        case release(String, until: String = "")
        /// Sets how the server answers `/posts` from now on.
        case posts(String)
    }

    let claim: String
    let command: String
    var steps: [Step] = []
    var output: String?
    var error: String = ""
    var status: Int32 = 0

    /// A run with an input that is there from the beginning.
    init(
        _ claim: String, _ command: String, input: String = "", output: String?, error: String = "", status: Int32 = 0
    ) {
        self.init(claim, command, [.type(input), .end], output: output, error: error, status: status)
    }

    init(
        _ claim: String, _ command: String, _ steps: [Step], output: String?, error: String = "", status: Int32 = 0
    ) {
        (self.claim, self.command, self.steps) = (claim, command, steps)
        (self.output, self.error, self.status) = (output, error, status)
    }

    var testDescription: String { "\(command): \(claim)" }

    var needsServer: Bool {
        command.contains("SERVER")
            || steps.contains { step in
                if case .type(let text) = step { text.contains("SERVER") } else { false }
            }
    }

    /// Runs the program, and compares how it ends.
    func check() async throws {
        let refusing = RefusingPort()
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // A URL has to escape the space.
        let file = directory.appending(path: "a note.md")
        try Data("# Title\n\none\ntwo\nthree\nfour\n".utf8).write(to: file)
        try Data("Ada Lovelace\n1815\n".utf8).write(to: directory.appending(path: "ada"))
        try Data("Grace Hopper".utf8).write(to: directory.appending(path: "grace"))
        let server = needsServer ? try await HTTPTestServer.start(directory: directory.path) : nil
        func actual(_ text: String) -> String {
            text.replacing("SERVER", with: server?.url("") ?? "").replacing(
                "HOST", with: "127.0.0.1:\(server?.port ?? 0)"
            )
            .replacing("REFUSING", with: "127.0.0.1:\(refusing.number)").replacing("FILE", with: file.path)
            .replacing("LINK", with: file.absoluteString)
        }
        let words = command.split(separator: " ").map { actual(String($0)) }
        let process = try RunningProcess(Executables.path(words[0]), Array(words.dropFirst()))
        for step in steps {
            switch step {
            case .type(let text): process.send(actual(text))
            case .end: process.closeInput()
            case .interrupt: process.signal(SIGINT)
            case .line(let text):
                let text = actual(text)
                #expect(await process.line { $0.contains(text) } != nil, "no line with \(text)")
            case .errors(let count): await process.wait { $0.error.split(separator: "\n").count >= count }
            case .requested(let path): #expect(await server?.requested(path) == true, "no request for \(path)")
            case .gone(let path): #expect(await server?.gone(path) == true, "\(path) goes on")
            case .release(let name, let text):
                var isShown = false
                repeat {
                    try await server?.release(name)
                    let report = await process.wait { _ in true }
                    isShown = report.isEnded || text.isEmpty || report.completeLines.contains { $0.contains(text) }
                } while !isShown
            case .posts(let mode): try await server?.answerPosts(mode)
            }
        }
        let report = await process.wait()
        if let output { expect(report.lines, actual(output)) }
        expect(report.error.split(separator: "\n").map(String.init), actual(error))
        #expect(report.status == status)
    }

    private func expect(_ lines: [String], _ expected: String) {
        let patterns = expected.isEmpty ? [] : expected.split(separator: "\n", omittingEmptySubsequences: false)
        // Compared as lists if they differ, so that the difference is shown.
        if !Self.matches(lines[...], patterns[...]) { #expect(lines == patterns.map(String.init)) }
    }

    /// Whether lines match patterns, of which each may contain `…`.
    private static func matches(_ lines: ArraySlice<String>, _ patterns: ArraySlice<Substring>) -> Bool {
        guard let pattern = patterns.first else { return lines.isEmpty }
        if pattern == "…" {
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], patterns.dropFirst()) }
        }
        guard let line = lines.first else { return false }
        return matches(line[...], pattern.split(separator: "…", omittingEmptySubsequences: false)[...])
            && matches(lines.dropFirst(), patterns.dropFirst())
    }

    /// Whether a line consists of these parts with any text between them.
    private static func matches(_ line: Substring, _ parts: ArraySlice<Substring>) -> Bool {
        guard let first = parts.first, line.hasPrefix(first) else { return false }
        let rest = line.dropFirst(first.count)
        guard parts.count > 1 else { return rest.isEmpty }
        return (0...rest.count).contains { matches(rest.dropFirst($0), parts.dropFirst()) }
    }
}
