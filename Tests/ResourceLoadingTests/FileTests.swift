import Foundation
import ResourceLoading
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct FileTests {
    let loader = ResourceLoader.live()

    /// A directory that is removed when the test ends.
    final class Directory {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            let file = url.appending(path: name)
            try Data(bytes).write(to: file)
            return file.path
        }
    }

    let directory: Directory

    init() throws {
        directory = try Directory()
    }

    func summary(_ name: String, _ bytes: [UInt8]) async throws -> ResourceSummary {
        try await loader.load(directory.file(name, bytes))
    }

    @Test(arguments: ["", "file://", "file://localhost", "file:"])
    func `a path or a file URL is loaded`(prefix: String) async throws {
        let path = try directory.file("a b.md", Array("# Title\r\n\r\nText\n".utf8))
        let location = prefix.isEmpty ? path : prefix + path.replacing(" ", with: "%20")
        #expect(
            try await loader.load(location)
                == ResourceSummary(
                    size: 16, type: "text/markdown", preview: .text(firstLines: ["# Title", "", "Text"])))
    }

    @Test(arguments: ["a%20b%20😀%20ü.txt", "a b 😀 ü.txt", "a%20b%20%F0%9F%98%80%20%C3%BC.txt"])
    func `a file URL may contain escaped and unescaped letters`(name: String) async throws {
        let path = try directory.file("a b 😀 ü.txt", [0x61])
        let folder = path.dropLast("a b 😀 ü.txt".count)
        #expect(try await loader.load("file://\(folder)\(name)").size == 1)
    }

    @Test func `an empty file has an empty preview`() async throws {
        #expect(try await summary("a.txt", []) == ResourceSummary(size: 0, type: "text/plain", preview: .empty))
    }

    @Test(arguments: [
        ("one", ["one"]), ("one\n", ["one"]), ("\n", [""]), ("\n\n", ["", ""]),
        ("1\n2\n3\n4\n5", ["1", "2", "3", "4", "5"]),
        ("1\n2\n3\n4\n5\n", ["1", "2", "3", "4", "5"]), ("1\n2\n3\n4\n5\n6\n7", ["1", "2", "3", "4", "5"]),
        ("\u{FEFF}marked", ["marked"]), ("tab\tstays 👩‍👧", ["tab\tstays 👩‍👧"]),
        ("red \u{1B}[31m \u{7} \u{202E}turned", ["red \u{FFFD}[31m \u{FFFD} \u{FFFD}turned"]),
        (String(repeating: "x", count: 201), [String(repeating: "x", count: 199) + "…"]),
        (String(repeating: "x", count: 200), [String(repeating: "x", count: 200)]),
    ])
    func `the preview has the first lines`(text: String, lines: [String]) async throws {
        let summary = try await summary("a.txt", Array(text.utf8))
        #expect(summary.preview == .text(firstLines: lines))
        #expect(summary.size == text.utf8.count)
    }

    @Test
    func `a character cut off by the preview is dropped, one cut off by the file is invalid`()
        async throws
    {
        // 🎲 has four bytes; one to three of them fall within the first 16,384.
        for inside in 1...3 {
            let text = String(repeating: "x\n", count: 8_192).dropLast(inside) + "🎲 and more"
            #expect(
                try await summary("a.txt", Array(text.utf8)).preview
                    == .text(firstLines: Array(repeating: "x", count: 5)))
        }
        #expect(try await summary("a.txt", Array("dice: 🎲".utf8.dropLast())).preview == .invalidUTF8(offset: 6))
        #expect(try await summary("a.txt", [0x61, 0xFF, 0x62]).preview == .invalidUTF8(offset: 1))
        #expect(
            try await summary("a.txt", [0xFF]).preview.description
                == "Its text is not shown: the byte at offset 0 is not valid UTF-8.")
    }

    @Test(
        arguments: [
            ("photo.txt", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], "image/png"),
            ("archive", [0x1F, 0x8B, 0x08, 0x41], "application/gzip"),
            ("paper", Array("%PDF-1.7".utf8), "application/pdf"),
            ("data", [1, 0, 2], "application/octet-stream"), ("data.JSON", [1, 0, 2], "application/json"),
        ] as [(String, [UInt8], String)])
    func `binary data has no text preview`(name: String, bytes: [UInt8], type: String) async throws {
        #expect(try await summary(name, bytes) == ResourceSummary(size: bytes.count, type: type, preview: .binary))
    }

    @Test func `a missing file fails the load`() async throws {
        let path = directory.url.path + "/nothing"
        await #expect(throws: LoadError.noSuchFile(path: path)) { try await loader.load(path) }
        #expect(LoadError.noSuchFile(path: "nothing").description == "There is no file nothing.")
        await #expect(throws: LoadError.noSuchFile(path: "notes:today")) { try await loader.load("notes:today") }
    }

    @Test func `a directory fails the load`() async {
        let path = directory.url.path
        await #expect(throws: LoadError.isDirectory(path: path)) { try await loader.load(path) }
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may read all files"))
    func `a file without permission fails the load`() async throws {
        let path = try directory.file("secret", [1])
        chmod(path, 0)
        await #expect(throws: LoadError.notPermitted(path: path)) { try await loader.load(path) }
    }

    #if os(Linux)
        @Test func `a file that cannot be read fails with the reason`() async {
            // The memory of the process can be opened, but its first page does not exist.
            let error = await #expect(throws: LoadError.self) { try await loader.load("/proc/self/mem") }
            #expect(error?.description == "/proc/self/mem cannot be read: Input/output error.")
        }
    #endif

    @Test(arguments: [
        ("", LoadError.malformedLocation("")), ("http://", .malformedLocation("http://")),
        ("http:", .malformedLocation("http:")), ("http:///path", .malformedLocation("http:///path")),
        ("http://host:99999/", .malformedLocation("http://host:99999/")),
        ("http://[::1", .malformedLocation("http://[::1")), ("file:relative", .malformedLocation("file:relative")),
        ("file://elsewhere/path", .malformedLocation("file://elsewhere/path")),
        ("file:///a%00b", .malformedLocation("file:///a%00b")), ("a\0b", .malformedLocation("a\0b")),
        ("ftp://host/file", .unsupportedScheme("ftp")), ("GOPHER://host", .unsupportedScheme("gopher")),
    ])
    func `an invalid location fails the load`(location: String, error: LoadError) async {
        await #expect(throws: error) { try await loader.load(location) }
    }

    @Test func `progress on a stopped clock is reported once, and the summary is last`() async throws {
        let path = try directory.file("large", Array(repeating: 0x61, count: 1_000_000))
        var events: [LoadEvent] = []
        for try await event in ResourceLoader.live(clock: VirtualClock()).events(path) { events.append(event) }
        #expect(events.count == 2)
        #expect(events.first == .progress(LoadProgress(bytes: 0, total: 1_000_000)))
        guard case .loaded(let summary) = events.last else {
            Issue.record("The last event is not a summary.")
            return
        }
        #expect(summary.size == 1_000_000)
    }

    #if os(Linux)
        @Test func `a source without an end is loaded up to a limit`() async {
            let error = await #expect(throws: LoadError.tooLarge(location: "/dev/zero", limit: 1_000_000)) {
                try await ResourceLoader.live(limit: 1_000_000).load("/dev/zero")
            }
            #expect(
                error?.description == "/dev/zero does not state its size, and is larger than the limit of 1.0 MB.")
        }

        // Promptly, because the load uses a core until it is cancelled.
        @Test(.promptly, .timeLimit(.minutes(10))) func `cancelling ends an endless load`() async {
            let loader = ResourceLoader.live(limit: .max)
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                do throws(LoadError) {
                    _ = try await loader.load("/dev/zero") { _ in continuation.yield() }
                    return false
                } catch {
                    guard case .cancelled = error else { return false }
                    return true
                }
            }
            for await _ in started { break }
            task.cancel()
            #expect(await task.value)
        }
    #endif

    @Test(.timeLimit(.minutes(10))) func `the data of a named pipe is loaded when it arrives`() async throws {
        let path = directory.url.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        // On a thread, because opening waits for a reader.
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)
            try? writer?.write(contentsOf: Data(repeating: 0x61, count: 200_000))
            try? writer?.close()
        }
        #expect(try await loader.load(path).size == 200_000)
    }

    @Test(.timeLimit(.minutes(10)))
    func `pipes without a writer block no threads, and their loads end when cancelled`() async throws {
        // More pipes than Dispatch has threads.
        let loads = try (0..<300).map { number in
            let path = directory.url.path + "/\(number)"
            try #require(mkfifo(path, 0o600) == 0)
            let events = loader.events(path)
            return Task {
                do {
                    for try await _ in events { return false }
                    return true
                } catch {
                    return error as? LoadError == .cancelled(bytesSoFar: 0)
                }
            }
        }
        #expect(try await summary("a.txt", [0x61]).size == 1)
        for load in loads { load.cancel() }
        for load in loads { #expect(await load.value) }
    }

    @Test func `a stub can replace the loader`() async throws {
        let stub = ResourceLoader { location in
            ResourceLoader.Events { continuation in
                continuation.yield(.progress(LoadProgress(bytes: 1)))
                continuation.yield(.loaded(ResourceSummary(size: 2, type: location, preview: .empty)))
                continuation.finish()
            }
        }
        var progress: [Int] = []
        #expect(try await stub.load("x") { progress.append($0.bytes) }.type == "x")
        #expect(progress == [1])
    }
}
