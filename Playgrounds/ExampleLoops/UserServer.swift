import ResourceLoading

/// A server that has each user at `URL/ID`. The first line there is the user's name.
package struct UserServer: Sendable {
    private let url: String
    private let loader: ResourceLoader

    package init(url: String, loader: ResourceLoader = .live()) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.loader = loader
    }

    /// Returns the name of a user. Cancelling the calling task cancels the request.
    ///
    /// - Throws: `UserError` if only this user is missing, or `LoadError`.
    package func name(of id: String) async throws -> String {
        let summary: ResourceSummary
        do {
            summary = try await loader.load("\(url)/\(id)")
        } catch {
            // A pattern after `catch` crashes the compiler.
            if case .status(404, _) = error { throw UserError.unknown(id: id) }
            throw error
        }
        guard case .text(let lines) = summary.preview, let name = lines.first, !name.isEmpty else {
            throw UserError.nameless(id: id)
        }
        return name
    }
}
