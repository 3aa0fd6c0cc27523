import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An http server on loopback, for one test: `http_server.py` says which paths it answers, and how badly.
///
/// It ends when this object does.
///
/// ```swift
/// @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement)) func loads() async throws {
///     let server = try await HTTPTestServer.start()
///     _ = try await loader.load(server.url("/bytes/1000"))
/// }
/// ```
public final class HTTPTestServer: Sendable {
    /// Whether this machine can run it.
    public static let isAvailable: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { access("\($0)/python3", X_OK) == 0 }
    }()

    /// What to say where it cannot run.
    public static let requirement: Comment = "needs python3"

    private let process: RunningProcess
    /// The port it listens on.
    public let port: Int

    private init(process: RunningProcess, port: Int) {
        self.process = process
        self.port = port
    }

    /// Starts a server; when this returns, it listens.
    ///
    /// - Parameter directory: where the files of `/file/…` lie.
    public static func start(directory: String = ".") async throws -> HTTPTestServer {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "http_server.py").path
        let process = try RunningProcess("python3", [script, directory])
        guard let line = await process.line(where: { $0.hasPrefix("port ") }), let port = Int(line.dropFirst(5)) else {
            let report = await process.wait()
            throw RunningProcess.StartError(description: "The test server did not start: \(report.error)")
        }
        return HTTPTestServer(process: process, port: port)
    }

    /// The URL of a path.
    public func url(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    /// Has it answer posts so from now on: a mode that `http_server.py` knows.
    public func answerPosts(_ mode: String) async throws {
        _ = try await URLSession.shared.data(from: try #require(URL(string: url("/control/\(mode)"))))
    }

    /// Waits until a request for the path has come in.
    public func requested(_ path: String) async -> Bool {
        await process.line { $0 == "request \(path)" } != nil
    }

    /// Waits until all of an answer for the path has been handed to the connection.
    public func sent(_ path: String) async -> Bool {
        await process.line { $0 == "sent \(path)" } != nil
    }

    /// The paths whose answers have been handed to the connection so far, in this order.
    public var sentPaths: [String] {
        get async {
            await process.wait { _ in true }.completeLines.filter { $0.hasPrefix("sent ") }.map {
                String($0.dropFirst(5))
            }
        }
    }

    /// Waits until a client has left before the answer for the path was complete.
    public func gone(_ path: String) async -> Bool {
        await process.line { $0 == "gone \(path)" } != nil
    }
}
