import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP server on loopback, for one test. `http_server.py` lists the paths that it answers.
///
/// The server ends when this object is deallocated.
///
/// ```swift
/// @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement)) func loads() async throws {
///     let server = try await HTTPTestServer.start()
///     _ = try await loader.load(server.url("/bytes/1000"))
/// }
/// ```
public final class HTTPTestServer: Sendable {
    /// Whether this machine can run the server.
    public static let isAvailable: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { access("\($0)/python3", X_OK) == 0 }
    }()

    /// The message of tests that are skipped without the server.
    public static let requirement: Comment = "needs python3"

    private let process: RunningProcess
    /// The port on which the server listens.
    public let port: Int

    private init(process: RunningProcess, port: Int) {
        self.process = process
        self.port = port
    }

    /// Starts a server, and returns when it listens.
    ///
    /// - Parameter directory: The directory of the files of `/file/…`.
    public static func start(directory: String = ".") async throws -> HTTPTestServer {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "http_server.py").path
        let process = try RunningProcess("python3", [script, directory])
        guard let line = await process.line(where: { $0.hasPrefix("port ") }), let port = Int(line.dropFirst(5)) else {
            let report = await process.wait()
            throw RunningProcess.StartError(description: "The test server did not start: \(report.error)")
        }
        return HTTPTestServer(process: process, port: port)
    }

    /// Returns the URL of a path.
    public func url(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    /// Sets the mode in which `/posts` answers from now on. `http_server.py` lists the modes.
    public func answerPosts(_ mode: String) async throws { try await request("/control/\(mode)") }

    /// Lets the server send more of the answers for `/drip/NAME`.
    public func release(_ name: String) async throws { try await request("/release/\(name)") }

    private func request(_ path: String) async throws {
        _ = try await URLSession.shared.data(from: try #require(URL(string: url(path))))
    }

    /// Waits until the server has received a request for the path.
    public func requested(_ path: String) async -> Bool {
        await process.line { $0 == "request \(path)" } != nil
    }

    /// Waits until the complete answer for the path has been written to the connection.
    public func sent(_ path: String) async -> Bool {
        await process.line { $0 == "sent \(path)" } != nil
    }

    /// The paths whose answers have been written to the connection so far, in order.
    public var sentPaths: [String] {
        get async {
            await process.wait { _ in true }.completeLines.filter { $0.hasPrefix("sent ") }.map {
                String($0.dropFirst(5))
            }
        }
    }

    /// Waits until a client has disconnected before the answer for the path was complete.
    public func gone(_ path: String) async -> Bool {
        await process.line { $0 == "gone \(path)" } != nil
    }
}
