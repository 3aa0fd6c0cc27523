import FlyingSocks
import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct FollowServerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Calls `body` with the port of a server.
    private func serve(_ limits: FollowServer.Limits = .init(), _ body: (UInt16) async throws -> Void) async throws {
        let server = try FollowServer(scratch.file("trace.jsonl", line(1, "created")), port: 0, limits: limits)
        let (addresses, address) = AsyncStream<String>.makeStream()
        let task = Task { try await server.run { address.yield($0) } }
        defer { task.cancel() }
        let url = try #require(await addresses.first { _ in true }.flatMap(URL.init))
        try await body(UInt16(#require(url.port)))
    }

    private func connect(
        _ port: UInt16, _ text: String = "", at address: String = "127.0.0.1"
    ) async throws -> AsyncSocket {
        let socket = try await AsyncSocket.connected(to: .inet(ip4: address, port: port))
        try await socket.write(Data(text.utf8))
        return socket
    }

    /// Returns what the server sends until it closes the connection.
    private func answer(_ socket: AsyncSocket) async throws -> String {
        var bytes: [UInt8] = []
        while let more = try? await socket.read(atMost: 4_096) { bytes += more }
        try socket.close()
        return String(decoding: bytes, as: UTF8.self)
    }

    private func ask(_ port: UInt16, _ text: String? = nil) async throws -> String {
        try await answer(connect(port, text ?? "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"))
    }

    @Test func thePageIsServed() async throws {
        try await serve { port in
            let answer = try await ask(port)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"))
            #expect(answer.hasSuffix("</html>\n"))
        }
    }

    #if os(Linux)
        // Linux answers at all addresses that begin with 127, so another one stands for an address of the network.
        @Test func theServerIsReachableAtNoOtherAddress() async throws {
            try await serve { port in
                try await connect(port).close()
                await #expect(throws: SocketError.self) { try await connect(port, at: "127.0.0.2").close() }
            }
        }
    #endif

    @Test(arguments: [("/", 200), ("/rows?after=0&run=1", 200), ("/none", 404)])
    func anAnswerIsNeitherStoredNorFramedNorReadByAnotherSite(path: String, status: Int) async throws {
        try await serve { port in
            let answer = try await ask(port, "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
            let end = try #require(answer.firstRange(of: "\r\n\r\n"))
            let lines = answer[..<end.lowerBound].split(separator: "\r\n").map(String.init)
            #expect(lines.first?.hasPrefix("HTTP/1.1 \(status) ") == true)
            for header in [
                "Connection: close", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
                "Content-Length: \(answer[end.upperBound...].utf8.count)",
            ] { #expect(lines.contains(header)) }
        }
    }

    @Test func aRequestMayArriveInPieces() async throws {
        try await serve { port in
            let socket = try await connect(port)
            for byte in "GET /none HTTP/1.1\nhOST:127.0.0.1:\(port)\nX: \(String(repeating: "a", count: 200))\n\n".utf8
            {
                try await socket.write(Data([byte]))
            }
            #expect(try await answer(socket).hasPrefix("HTTP/1.1 404 Error\r\n"))
        }
    }

    @Test(arguments: ["", "GET\n\n", "GET /\n\n", "GET / FTP/1.1\n\n", "\u{0}\n\n", "GET http://[ HTTP/1.1\n\n"])
    func whatIsNotARequestIsRefused(text: String) async throws {
        try await serve { port in
            let answer = try await ask(port, "\(text)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 Error\r\n"))
        }
    }

    @Test func aRequestWithoutAnEndIsRefusedAtTheLimit() async throws {
        try await serve { port in
            let socket = try await connect(port, "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 100_000))")
            #expect(try await answer(socket).hasPrefix("HTTP/1.1 431 Error\r\n"))
            #expect(try await ask(port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func connectionsThatAskNothingKeepNoOtherWaiting() async throws {
        try await serve { port in
            let silent = try await [connect(port), connect(port, "GET / HTTP/1.1\r\n")]
            #expect(try await ask(port).hasPrefix("HTTP/1.1 200 OK\r\n"))
            for socket in silent { try socket.close() }
        }
    }

    @Test func aConnectionThatAsksNothingIsClosed() async throws {
        try await serve(.init(timeOfHead: .milliseconds(20))) { port in
            let answer = try await ask(port, "GET / HTTP/1.1\r\n")
            #expect(answer == "")
        }
    }

    @Test func connectionsAboveTheLimitAreClosed() async throws {
        try await serve(.init(connections: 1)) { port in
            let first = try await connect(port, "GET / HTTP/1.1\r\n")
            #expect(try await ask(port, "") == "")
            try await first.write(Data("Host: 127.0.0.1:\(port)\r\n\r\n".utf8))
            #expect(try await answer(first).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }
}
