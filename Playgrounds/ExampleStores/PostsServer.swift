import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A JSON server whose posts are at `URL/posts` and `URL/posts/ID`.
///
/// A request is cancelled with the task that awaits it. It fails if the server sends nothing for a minute.
package struct PostsServer: Sendable {
    private let posts: URL
    private let session: URLSession

    package init(url: URL) {
        posts = url.appending(path: "posts")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration)
    }

    package var api: PostsAPI {
        PostsAPI(
            list: { try decode([Post].self, from: await answer("GET", posts)) },
            show: { id in try decode(Post.self, from: await answer("GET", post: id)) },
            create: { draft in
                try decode(Post.self, from: await answer("POST", posts, body: JSONEncoder().encode(draft)))
            },
            delete: { id in _ = try await answer("DELETE", post: id) })
    }

    private func answer(_ method: String, post id: Int) async throws -> Data {
        do throws(PostsError) {
            return try await answer(method, posts.appending(path: "\(id)"))
        } catch {
            throw error == .status(404) ? .noSuchPost(id: id) : error
        }
    }

    private func answer(_ method: String, _ url: URL, body: Data? = nil) async throws(PostsError) -> Data {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw .unanswered(reason: reason(of: error))
        }
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200...299).contains(status) else {
            throw .status((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        return data
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(PostsError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw .malformed(reason: (error as? DecodingError).map(reason) ?? "\(error)")
        }
    }

    private func reason(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): place(context, "lacks \(key.stringValue)")
        case .typeMismatch(_, let context), .valueNotFound(_, let context): place(context, "has the wrong type")
        default: "it is not JSON"
        }
    }

    private func place(_ context: DecodingError.Context, _ fault: String) -> String {
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return "\(path.isEmpty ? "it" : "the value at \(path)") \(fault)"
    }

    private func reason(of error: any Error) -> String {
        let host = (posts.host() ?? "") + (posts.port.map { ":\($0)" } ?? "")
        return switch (error as? URLError)?.code {
        case .cannotConnectToHost: "The host \(host) refused the connection, or cannot be reached."
        case .cannotFindHost, .dnsLookupFailed: "There is no host named \(posts.host() ?? "")."
        case .timedOut: "The host \(host) did not answer in time."
        // FoundationNetworking has no codes for an answer that is cut off or that never begins.
        case .networkConnectionLost, .badServerResponse, .unknown:
            "The host \(host) closed the connection before its answer was complete."
        default: "The request failed: \(error.localizedDescription)"
        }
    }
}
