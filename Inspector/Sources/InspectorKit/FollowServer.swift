import FlyingSocks
import Foundation
import Synchronization

/// Serves the page of a trace that grows, on loopback. Changes nothing.
///
/// Each connection has a task of its own, asks one question, and is closed after the answer.
package struct FollowServer: Sendable {
    private let follower: Follower
    private let port: UInt16
    private let limits: Limits

    /// What a client may use.
    struct Limits {
        /// The longest beginning of a request, in bytes, and the time until it has arrived.
        var head = 16_384
        var timeOfHead = Duration.seconds(10)
        /// The time until the answer was read.
        var timeOfAnswer = Duration.seconds(300)
        /// The number of connections that are open at once. Further ones are closed at once.
        var connections = 100
    }

    /// Creates a server. If `port` is 0, the system chooses one.
    package init(_ file: URL, port: UInt16) throws { try self.init(file, port: port, limits: Limits()) }

    init(_ file: URL, port: UInt16, limits: Limits) throws {
        (follower, self.port, self.limits) = (try Follower(file), port, limits)
    }

    /// Serves until the task is cancelled. Calls `ready` with the address of the page.
    package func run(_ ready: @escaping @Sendable (String) -> Void) async throws {
        #if canImport(Darwin)
            let pool: some AsyncSocketPool = .kQueue()
        #else
            let pool: some AsyncSocketPool = .ePoll()
        #endif
        try await pool.prepare()
        let listener = try Socket(domain: AF_INET)
        defer { try? listener.close() }
        do {
            try listener.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
                try listener.setValue(true, for: .noSIGPIPE)
            #endif
            try listener.bind(to: .inet(ip4: "127.0.0.1", port: port))
            try listener.listen()
        } catch SocketError.failed(_, EADDRINUSE, _) {
            throw InspectorError("The port \(port) is in use. Choose another with --port.")
        }
        guard case .ip4(_, let port) = try listener.sockname() else { return }
        let socket = try AsyncSocket(socket: listener, pool: pool)
        let start = ContinuousClock.now
        let open = OpenConnections()
        ready("http://127.0.0.1:\(port)/")
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            for try await connection in socket.sockets {
                guard open.add(atMost: limits.connections) else {
                    try? connection.close()
                    continue
                }
                group.addTask {
                    await serve(connection, on: port, since: start)
                    try? connection.close()
                    open.remove()
                }
            }
        }
    }

    private func serve(_ connection: AsyncSocket, on port: UInt16, since start: ContinuousClock.Instant) async {
        guard let head = try? await within(limits.timeOfHead, { try await readHead(from: connection) }) else { return }
        let answer = await answer(to: head, on: port, at: start.duration(to: .now))
        try? await within(limits.timeOfAnswer) { try await connection.write(answer.response) }
        // Closing a connection with bytes that were not read would discard the answer. So what follows is read, for a while.
        shutdown(connection.socket.file.rawValue, Int32(SHUT_WR))
        _ = try? await within(.seconds(1)) { while true { _ = try await connection.read(atMost: 4_096) } }
    }

    /// Returns what is before the empty line of a request, or the beginning of what is longer than the limit. Looks at
    /// each byte once.
    private func readHead(from connection: AsyncSocket) async throws -> [UInt8] {
        var (head, lineFeeds): ([UInt8], Int) = ([], 0)
        while head.count <= limits.head {
            for byte in try await connection.read(atMost: 4_096) {
                head.append(byte)
                lineFeeds = byte == UInt8(ascii: "\n") ? lineFeeds + 1 : byte == UInt8(ascii: "\r") ? lineFeeds : 0
                if lineFeeds == 2 { return head }
            }
        }
        return head
    }

    private func answer(to head: [UInt8], on port: UInt16, at now: Duration) async -> Answer {
        if head.count > limits.head { return Answer(431, "The request is too long.") }
        guard let request = Request(head) else { return Answer(400, "This is not a request.") }
        do {
            return try await Self.answer(request, on: port, at: now, from: follower)
        } catch {
            return Answer(500, "\(error)")
        }
    }

    /// Performs `body` and cancels it after a time.
    private func within<Value: Sendable>(
        _ time: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: time)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            return try await group.next()!
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
}

private final class OpenConnections: Sendable {
    private let count = Mutex(0)

    func add(atMost limit: Int) -> Bool {
        count.withLock { count in
            if count >= limit { return false }
            count += 1
            return true
        }
    }

    func remove() { count.withLock { $0 -= 1 } }
}

extension FollowServer.Request {
    /// Reads the lines before the empty line of a request. Returns `nil` if the first one is not that of a request.
    init?(_ head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), let target = URLComponents(string: String(words[1]))
        else {
            return nil
        }
        (method, path) = (String(words[0]), target.path)
        query = Dictionary((target.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "host": host = value
            case "origin": origin = value
            default: break
            }
        }
    }
}

extension FollowServer.Answer {
    fileprivate var response: Data {
        let phrase = status == 200 ? "OK" : "Error"
        let head = """
            HTTP/1.1 \(status) \(phrase)
            Content-Type: \(type)
            Content-Length: \(body.count)
            Connection: close
            Cache-Control: no-store
            X-Content-Type-Options: nosniff
            X-Frame-Options: DENY
            Cross-Origin-Resource-Policy: same-origin


            """
        return Data(head.replacing("\n", with: "\r\n").utf8) + body
    }
}
