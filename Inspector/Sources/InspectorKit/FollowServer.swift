import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page of a trace that grows, on loopback. Changes nothing.
package struct FollowServer: Sendable {
    private let follower: Follower
    private let server: HTTPServer
    private let port: UInt16

    /// Creates a server. If `port` is 0, the system chooses one.
    package init(_ file: URL, port: UInt16) async throws {
        let follower = try Follower(file)
        self.follower = follower
        self.port = port
        server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), timeout: 60)
        let server = server
        let start = ContinuousClock.now
        let handler = ClosureHTTPHandler { request in
            guard let port = await server.port else { throw InspectorError("The server has ended.") }
            let question = Request(
                method: request.method.rawValue, path: request.path,
                query: Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first },
                host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")])
            return Self.response(
                try await Self.answer(question, on: port, at: start.duration(to: .now), from: follower))
        }
        await server.appendRoute("*", to: handler)
    }

    /// Serves until the task is cancelled. Calls `ready` with the address of the page.
    package func run(_ ready: @escaping @Sendable (String) -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await server.run()
                } catch SocketError.failed(_, EADDRINUSE, _) {
                    throw InspectorError("The port \(port) is in use. Choose another with --port.")
                }
            }
            group.addTask {
                try await server.waitUntilListening()
                if let port = await server.port { ready("http://127.0.0.1:\(port)/") }
            }
            // The first error cancels the other task.
            for try await _ in group {}
        }
    }

    struct Request {
        var method: String
        var path: String
        var query: [String: String]
        var host: String?
        var origin: String?
    }

    struct Answer {
        var status: Int
        var type: String
        var body: Data

        init(_ status: Int, _ type: String, _ body: Data) { (self.status, self.type, self.body) = (status, type, body) }

        init(_ status: Int, _ text: String) { self.init(status, "text/plain; charset=utf-8", Data("\(text)\n".utf8)) }
    }

    static func answer(_ request: Request, on port: UInt16, at now: Duration, from follower: Follower) async throws
        -> Answer
    {
        // A page of another site can send requests to this server, also under a name of its own. Its browser then sends
        // that name as the host, or the site as the origin.
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.host, hosts.contains(host),
            request.origin == nil || hosts.contains(where: { request.origin == "http://\($0)" })
        else { return Answer(403, "This server answers only pages that it has sent.") }
        guard request.method == "GET" else { return Answer(405, "Only GET is supported.") }
        switch request.path {
        case "/":
            try await follower.update(now: now)
            return Answer(200, "text/html; charset=utf-8", try await follower.page())
        case "/rows":
            guard let id = request.query["after"].flatMap(Int.init), let run = request.query["run"].flatMap(Int.init)
            else {
                return Answer(400, "after and run must be numbers.")
            }
            try await follower.update(now: now)
            return Answer(200, "application/json", try await follower.rows(after: id, run: run))
        default:
            return Answer(404, "There is no such page.")
        }
    }

    private static func response(_ answer: Answer) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: answer.status == 200 ? "OK" : "Error"),
            headers: [
                .contentType: answer.type,
                HTTPHeader("Cache-Control"): "no-store",
                HTTPHeader("X-Content-Type-Options"): "nosniff",
                HTTPHeader("X-Frame-Options"): "DENY",
                HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            ],
            body: answer.body)
    }
}

extension HTTPServer {
    fileprivate var port: UInt16? {
        guard case .ip4(_, let port) = listeningAddress else { return nil }
        return port
    }
}
