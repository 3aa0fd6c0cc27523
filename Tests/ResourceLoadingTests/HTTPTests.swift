import Dispatch
import Foundation
import PlaygroundTestSupport
import ResourceLoading
import TerminalSupport
import TestSupport
import Testing
import VirtualTime

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct HTTPTests {
    /// Does not end a load on a busy machine.
    let loader = ResourceLoader.live(clock: VirtualClock(), silence: .seconds(86_400))
    let server: HTTPTestServer

    init() async throws {
        server = try await HTTPTestServer.start(
            directory: URL(filePath: #filePath).deletingLastPathComponent().path)
    }

    @Test func `text is loaded with its first lines`() async throws {
        let summary = try await loader.load(server.url("/bytes/1000"))
        #expect(summary.size == 1_000)
        #expect(summary.type == "text/plain")
        guard case .text(let lines) = summary.preview else {
            Issue.record("\(summary.preview)")
            return
        }
        #expect(lines.count == 5)
        #expect(lines.first == "The quick brown fox jumps over the lazy dog, again and again and again and over.")
    }

    @Test func `the type of a file is guessed if the server states none`() async throws {
        let summary = try await loader.load(server.url("/file/HTTPTests.swift?type="))
        #expect(summary.type == "text/x-swift")
        let size = try FileManager.default.attributesOfItem(atPath: #filePath)[.size] as? Int
        #expect(summary.size == size)
    }

    @Test func `a stated type with control characters is ignored`() async throws {
        #expect(try await loader.load(server.url("/bytes/3?type=text/%1B%5B31mred")).type == "text/plain")
        #expect(try await loader.load(server.url("/bytes/3?type=text/red")).type == "text/red")
    }

    @Test func `an answer of unknown length has no total`() async throws {
        var totals: Set<Int?> = []
        let summary = try await loader.load(server.url("/bytes/300000?length=no")) { totals.insert($0.total) }
        #expect(summary.size == 300_000)
        #expect(totals == [nil])
    }

    @Test func `empty, redirected, binary and invalid UTF-8 answers are loaded`() async throws {
        #expect(try await loader.load(server.url("/empty")).preview == .empty)
        #expect(try await loader.load(server.url("/status/204")).size == 0)
        #expect(try await loader.load(server.url("/redirect/bytes/12")).size == 12)
        #expect(try await loader.load(server.url("/binary/1000")).preview == .binary)
        #expect(try await loader.load(server.url("/invalid-utf8")).preview == .invalidUTF8(offset: 18))
    }

    @Test func `a scheme in capitals is accepted`() async throws {
        #expect(try await loader.load(server.url("/bytes/3").replacing("http:", with: "HTTP:")).size == 3)
    }

    @Test(arguments: [302, 400, 403, 404, 500, 503])
    func `a status that is not 2xx fails the load`(status: Int) async {
        let url = server.url("/status/\(status)")
        let error = await #expect(throws: LoadError.status(status, location: url)) { try await loader.load(url) }
        #expect(error?.description.contains("status \(status) (") == true)
    }

    @Test func `a status that is not 2xx ends the load before the body ends`() async {
        let url = server.url("/status/404/stall")
        await #expect(throws: LoadError.status(404, location: url)) { try await loader.load(url) }
        #expect(await server.gone("/status/404/stall"))
    }

    @Test func `a refused connection fails the load`() async throws {
        let port = RefusingPort()
        await #expect(throws: LoadError.connectionRefused(host: "127.0.0.1:\(port.number)")) {
            try await loader.load("http://127.0.0.1:\(port.number)/")
        }
    }

    @Test func `an unknown host fails the load`() async {
        await #expect(throws: LoadError.unknownHost("nowhere.invalid")) {
            try await loader.load("http://nowhere.invalid/")
        }
    }

    @Test func `a connection closed before the answer fails the load`() async {
        await #expect(throws: LoadError.connectionLost(host: "127.0.0.1:\(server.port)", bytesSoFar: 0, total: nil)) {
            try await loader.load(server.url("/drop"))
        }
    }

    @Test(arguments: ["/drop-after/5000/10000", "/drop-after/0/10000"])
    func `a connection closed during the answer fails the load`(path: String) async {
        let bytes = path.contains("5000") ? 5_000 : 0
        let lost = LoadError.connectionLost(host: "127.0.0.1:\(server.port)", bytesSoFar: bytes, total: 10_000)
        let error = await #expect(throws: lost) { try await loader.load(server.url(path)) }
        if bytes > 0 { #expect(error?.description.hasSuffix("was lost after 5.0 kB of 10.0 kB.") == true) }
    }

    @Test func `a malformed chunk is reported as a malformed answer`() async {
        let error = await #expect(
            throws: LoadError.malformedAnswer(host: "127.0.0.1:\(server.port)", bytesSoFar: 0)
        ) { try await loader.load(server.url("/malformed-chunk")) }
        #expect(
            error?.description == "The answer of the host 127.0.0.1:\(server.port) is malformed after 0 bytes.")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x"])
    func `a redirection to another scheme is refused`(target: String) async {
        let url = server.url("/redirect-to/" + target.replacing("/", with: "%2F"))
        await #expect(throws: LoadError.refusedRedirect(to: target, host: "127.0.0.1:\(server.port)")) {
            try await loader.load(url)
        }
    }

    @Test func `a status after a redirection names the redirected location`() async {
        await #expect(throws: LoadError.status(404, location: server.url("/nothing"))) {
            try await loader.load(server.url("/redirect/nothing"))
        }
    }

    @Test func `a server that does not answer within 30 seconds fails the load`() async throws {
        let clock = VirtualClock()
        // A long limit, so that real time does not end the load on a busy machine.
        let loader = ResourceLoader.live(clock: clock, silence: .seconds(3_600))
        let task = Task { [url = server.url("/stall")] in try await loader.load(url) }
        // The loader has read the clock before the request.
        #expect(await server.requested("/stall"))
        clock.advance(by: .seconds(30))
        await #expect(throws: LoadError.notAnswered(host: "127.0.0.1:\(server.port)", within: .seconds(30))) {
            try await task.value
        }
        #expect(await server.gone("/stall"))
    }

    @Test func `the limit applies only to an answer that states no size`() async throws {
        let loader = ResourceLoader.live(limit: 100_000)
        let url = server.url("/bytes/300000?length=no")
        await #expect(throws: LoadError.tooLarge(location: url, limit: 100_000)) { try await loader.load(url) }
        #expect(try await loader.load(server.url("/bytes/300000")).size == 300_000)
    }

    @Test func `escapes stay, and other letters are escaped if necessary`() async throws {
        #expect(try await loader.load(server.url("/bytes/3/a%20b ü%")).size == 3)
        #expect(await server.requested("/bytes/3/a%20b%20%C3%BC%25"))
    }

    @Test func `a reset connection is reported as lost`() async {
        let error = await #expect(throws: LoadError.self) {
            try await loader.load(server.url("/reset-after/5000/10000"))
        }
        guard case .connectionLost = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `progress follows the clock: at most one in 50 milliseconds`() async throws {
        let clock = VirtualClock()
        // Each release sends 100 bytes.
        let events = ResourceLoader.live(clock: clock).events(server.url("/drip/a/100/1000"))
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .progress(LoadProgress(bytes: 0, total: 1_000)))
        func release() async throws { _ = try await loader.load(server.url("/release/a")) }
        // The clock does not advance, so arriving bytes are not reported.
        for _ in 0..<3 { try await release() }
        for _ in 0..<6 {
            clock.advance(by: .milliseconds(50))
            try await release()
            // The progress may include earlier bytes.
            guard case .progress(let progress) = try await iterator.next() else {
                Issue.record("The event is not progress.")
                return
            }
            #expect(progress.total == 1_000)
            #expect(progress.bytes >= 100)
        }
        try await release()
        var rest: [LoadEvent] = []
        while let event = try await iterator.next() { rest.append(event) }
        guard rest.count == 1, case .loaded(let summary) = rest[0] else {
            Issue.record("\(rest)")
            return
        }
        #expect(summary.size == 1_000)
    }

    @Test(arguments: ["/stall", "/stall-after/100/1000"])
    func `cancelling ends the transfer, and the server sees it`(path: String) async {
        let task = Task { [loader, url = server.url(path)] in try await loader.load(url) }
        #expect(await server.requested(path))
        task.cancel()
        await #expect(throws: LoadError.self) { try await task.value }
        #expect(await server.gone(path))
    }

    @Test func `releasing the events ends the transfer`() async throws {
        do {
            var iterator = loader.events(server.url("/stall-after/100/1000")).makeAsyncIterator()
            _ = try await iterator.next()
        }
        #expect(await server.gone("/stall-after/100/1000"))
    }

    @Test func `releasing the events while bytes are counted ends the transfer`() async throws {
        let (events, areKnown) = (Guarded<ResourceLoader.Events?>(nil), DispatchSemaphore(value: 0))
        let loader = ResourceLoader.live(
            clock: WatchedClock(firstPieceArrives: {
                areKnown.wait()
                events.withLock { $0 = nil }
            }))
        events.withLock { $0 = loader.events(server.url("/stall-after/100/1000")) }
        areKnown.signal()
        #expect(await server.gone("/stall-after/100/1000"))
    }

    @Test(.promptly) func `a server waits if its answer is not consumed`() async throws {
        let (held, free) = ("/bytes/50000000/held", "/bytes/100000000/free")
        // In a process of its own, because the gate would also block other loads of this process.
        await #expect(processExitsWith: .success) {
            [held = server.url(held) as String, free = server.url(free) as String] in
            let gate = DispatchSemaphore(value: 0)
            let clock = WatchedClock(firstPieceArrives: { gate.wait() })
            async let summary = ResourceLoader.live(clock: clock).load(held)
            // While a longer answer is sent to another process, the held one could be sent if the server did not wait.
            let script = "import sys, urllib.request; print(len(urllib.request.urlopen(sys.argv[1]).read()))"
            let other = try await RunningProcess.run("python3", ["-c", script, free])
            #expect(other.lines == ["100000000"])
            gate.signal()
            #expect(try await summary.size == 50_000_000)
        }
        #expect(await server.sent(free))
        #expect(await server.sent(held))
        #expect(await server.sentPaths == [free, held])
    }

    @Test(.promptly) func `a load starts and is released without waiting for others`() async throws {
        await #expect(processExitsWith: .success) {
            [held = server.url("/bytes/1000/held") as String, free = server.url("/bytes/1000/free") as String] in
            let (isHeld, continuation) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let clock = WatchedClock(firstPieceArrives: {
                continuation.finish()
                gate.wait()
            })
            async let summary = ResourceLoader.live(clock: clock).load(held)
            for await _ in isHeld {}
            let events = ResourceLoader.live().events(free)
            _ = ResourceLoader.live().events(free)
            gate.signal()
            #expect(try await summary.size == 1_000)
            let last = try await events.reduce(LoadEvent?.none) { $1 }
            guard case .loaded = last else {
                Issue.record("\(String(describing: last))")
                return
            }
        }
    }

    @Test func `many loads run at once`() async throws {
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<30 {
                group.addTask { [loader, server] in try await loader.load(server.url("/bytes/\(index * 10_000)")).size }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.sorted() == (0..<30).map { $0 * 10_000 })
    }

    @Test(.promptly, .enabled(if: !isSanitized, "sanitizers use additional memory"))
    func `memory does not grow with the resource`() async throws {
        // In a process of its own, so that its peak memory is that of this load.
        await #expect(processExitsWith: .success) { [url = server.url("/bytes/100000000") as String] in
            let summary = try await ResourceLoader.live().load(url)
            #expect(summary.size == 100_000_000)
            #expect(try #require(PeakMemory.bytes) < 80_000_000)
        }
    }
}
