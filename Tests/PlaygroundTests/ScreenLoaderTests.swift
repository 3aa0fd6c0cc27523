import ArchitectureTesting
import Dispatcher
import ExampleDispatchers
import Foundation
import PlaygroundTestSupport
import ResourceLoading
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct ScreenLoaderTests {
    let loader = Playground("screen-loader")
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// Calls `body` with a file whose name contains a space, which a URL has to escape.
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "a note.md")
        try Data("# Title\n\none\ntwo\nthree\nfour\n".utf8).write(to: file)
        try await body(file)
    }

    @Test func `the screen shows the progress and the result of a load`() {
        let summary = ResourceSummary(size: 3, type: "text/plain", preview: .text(firstLines: ["abc"]))
        let half = LoadProgress(bytes: 2, total: 3)
        let loader = ResourceLoader { location in
            ResourceLoader.Events { continuation in
                #expect(location == "somewhere")
                continuation.yield(.progress(half))
                continuation.yield(.loaded(summary))
                continuation.finish()
            }
        }
        let test = TestDriver(screenDispatcher, state: .empty, environment: loader)
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        test.change(from: load) { $0 = .loading(half) }
        test.change(from: load) { $0 = .loaded(summary) }
        test.send(.cancelled)
        test.finish()
    }

    @Test func `a failed load is a state`() {
        let loader = ResourceLoader { location in
            ResourceLoader.Events { $0.finish(throwing: LoadError.noSuchFile(path: location)) }
        }
        let test = TestDriver(screenDispatcher, state: .empty, environment: loader)
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        test.change(from: load) { $0 = .failed(reason: "There is no file somewhere.") }
        // The load has ended, so the cancellation has no effect.
        test.send(.cancelled)
        test.finish()
    }

    @Test func `a cancelled load shows its progress, and nothing later`() {
        let half = LoadProgress(bytes: 2, total: 3)
        let (events, continuation) = ResourceLoader.Events.makeStream()
        let test = TestDriver(screenDispatcher, state: .empty, environment: ResourceLoader { _ in events })
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        continuation.yield(.progress(half))
        test.change(from: load) { $0 = .loading(half) }
        test.expectWork(load, .waiting)
        test.cancel(load)
        test.send(.cancelled) { $0 = .cancelled(half) }
        continuation.finish(throwing: LoadError.noSuchFile(path: "somewhere"))
        test.finish()
    }

    @Test func `a path is loaded`() async throws {
        try await withFile { file in
            let report = try await loader.run(file.path)
            // On a busy machine, the program may report its progress once more.
            let lines = report.lines.filter { $0 != "loading: 28 bytes of 28 bytes" }
            #expect(
                lines == [
                    "loading", "loading: 0 bytes of 28 bytes", "loaded: 28 bytes of text/markdown",
                    "  # Title", "", "  one", "  two", "  three",
                ])
            #expect(report.error == "")
            #expect(report.status == 0)
        }
    }

    @Test func `a file URL is loaded`() async throws {
        try await withFile { file in
            let report = try await loader.run(file.absoluteString)
            #expect(report.lines.contains("loaded: 28 bytes of text/markdown"))
            #expect(report.status == 0)
        }
    }

    @Test func `a missing file, a directory or an unknown scheme fails with the reason`() async throws {
        for (location, reason) in [
            ("/no/such/file", "There is no file /no/such/file."),
            ("/", "/ is a directory, not a file."),
            (
                "ftp://example.org/x",
                "URLs that begin with ftp: cannot be loaded. Pass a path, or an http:, https: or file: URL."
            ),
        ] {
            let report = try await loader.run(location)
            #expect(report.output == "loading\n")
            #expect(report.error == "screen-loader: \(reason)\n")
            #expect(report.status == 1)
        }
    }

    @Test func `a refused connection fails with the reason`() async throws {
        let port = RefusingPort()
        let report = try await loader.run("http://127.0.0.1:\(port.number)/")
        #expect(
            report.error
                == "screen-loader: The host 127.0.0.1:\(port.number) refused the connection, or cannot be reached.\n")
        #expect(report.status == 1)
    }

    @Test func `a closed output ends the program without a message`() async throws {
        try await withFile { file in
            // A named pipe that sends nothing until the output is closed.
            let pipe = file.deletingLastPathComponent().appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let process = try loader.startWithFickleReader(pipe)
            #expect(await process.line { $0 == "closed" } != nil)
            _ = try await RunningProcess.run("sh", ["-c", #"echo something > "$0""#, pipe])
            #expect(await process.wait().error == "status 141\n")
        }
    }

    @Test func `help prints the usage`() async throws {
        let report = try await loader.run("--help")
        #expect(report.output.hasPrefix("Usage: screen-loader LOCATION"))
        #expect(report.output.contains("130"))
        #expect(report.status == 0)
    }

    @Test(arguments: [[], ["one", "two"], ["--fast"]])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(loader.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("screen-loader: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `a terminal shows a bar, then only the result`() async throws {
        try await withFile { file in
            let report = try await loader.startOnTerminal(file.path).wait()
            #expect(report.output.contains("[ "))
            #expect(report.terminalLines.first == "loaded: 28 bytes of text/markdown")
            #expect(report.status == 0)
        }
    }
}

extension AsyncSequence where Failure == Never {
    fileprivate nonisolated(nonsending) func collect() async -> [Element] {
        var elements: [Element] = []
        for await element in self { elements.append(element) }
        return elements
    }
}

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct ScreenLoaderHTTPTests {
    let loader = Playground("screen-loader")
    let server: HTTPTestServer

    init() async throws {
        server = try await HTTPTestServer.start()
    }

    @Test func `a resource is loaded with its first lines`() async throws {
        let report = try await loader.run(server.url("/bytes/1000?type=text/markdown"))
        #expect(report.lines.prefix(2) == ["loading", "loading: 0 bytes of 1.0 kB"])
        #expect(report.lines.contains("loaded: 1.0 kB (1000 bytes) of text/markdown"))
        #expect(report.lines.suffix(5).allSatisfy { $0.hasPrefix("  The quick brown fox ") })
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test(arguments: [
        ("/invalid-utf8", "Its text is not shown: the byte at offset 18 is not valid UTF-8."),
        ("/binary/1000", "Its data is binary and not shown."),
        ("/empty", "It is empty."),
    ])
    func `a resource without a text preview is loaded`(path: String, words: String) async throws {
        let report = try await loader.run(server.url(path))
        #expect(report.lines.suffix(2).first?.hasPrefix("loaded: ") == true)
        #expect(report.lines.last == "  \(words)")
        #expect(report.status == 0)
    }

    @Test(arguments: [
        ("/status/404", "The server answered with status 404 "),
        ("/status/500", "The server answered with status 500 "),
        ("/drop", "The host 127.0.0.1:PORT closed the connection without sending anything."),
        ("/drop-after/5000/10000", "The connection to 127.0.0.1:PORT was lost after 5.0 kB of 10.0 kB."),
    ])
    func `a failure is described, and the status is 1`(path: String, words: String) async throws {
        let report = try await loader.run(server.url(path))
        #expect(report.error.hasPrefix("screen-loader: " + words.replacing("PORT", with: "\(server.port)")))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(!report.output.contains("loaded"))
        #expect(report.status == 1)
    }

    @Test(arguments: ["/stall", "/stall-after/100/1000"])
    func `Ctrl-C cancels a stalled load`(path: String) async throws {
        let process = try loader.start(server.url(path))
        #expect(await process.line { $0.hasPrefix("loading") } != nil)
        #expect(await server.requested(path))
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.error.hasPrefix("screen-loader: cancelled"))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 130)
        #expect(await server.gone(path))
    }

    @Test func `progress is reported as bytes arrive`() async throws {
        let process = try loader.start(server.url("/drip/a/1000/100000000"))
        @Sendable func amounts(_ report: RunningProcess.Report) -> [String] {
            report.completeLines.compactMap { $0.wholeMatch(of: /loading: (\d.*) of 100\.0 MB/).map { String($0.1) } }
        }
        // Bytes that arrive within 50 milliseconds are reported together, so each line takes several releases.
        var report = await process.wait { amounts($0).count > 0 }
        while amounts(report).count < 4 && !report.isEnded {
            _ = try await ResourceLoader.live().load(server.url("/release/a"))
            report = await process.wait { _ in true }
        }
        #expect(amounts(report).first == "0 bytes")
        #expect(Set(amounts(report)).count > 1)
        process.signal(SIGINT)
        let end = await process.wait()
        #expect(end.error.wholeMatch(of: /screen-loader: cancelled after \d.* [kM]B of 100\.0 MB\n/) != nil)
        #expect(end.status == 130)
    }

    @Test func `progress is not reported for each piece that arrives`() async throws {
        let report = try await loader.run(server.url("/bytes/300000000"))
        // A piece has at most 16 kB, so there are at least 18,000. Twenty reports a second would exceed the number only after
        // the time limit.
        let count = report.lines.count { $0.hasPrefix("loading: ") }
        #expect((1..<15_000).contains(count))
        #expect(report.lines.contains("loaded: 300.0 MB (300000000 bytes) of text/plain"))
    }

    @Test(.enabled(if: !isSanitized, "sanitizers use additional memory"))
    func `a hundred megabytes are loaded in little memory`() async throws {
        let report = try await loader.run(
            server.url("/bytes/100000000"), environment: ["REPORT_PEAK_MEMORY": "1"])
        #expect(report.lines.contains("loaded: 100.0 MB (100000000 bytes) of text/plain"))
        #expect(report.status == 0)
        #expect(try #require(report.peakMemory) <= 80_000_000)
    }
}
