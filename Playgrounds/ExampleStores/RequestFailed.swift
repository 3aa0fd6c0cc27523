import Effects

/// A request has failed.
package struct RequestFailed: Answer, Equatable {
    package let request: Request
    package let error: PostsError
    package var isHeard: Bool { !error.isOffline }

    package init(request: Request, error: PostsError) {
        self.request = request
        self.error = error
    }
}

extension Question {
    /// What `body` answers, or that it failed: an effect whose stream fails would begin anew, and forget its other
    /// requests.
    func answered(_ body: () async throws -> any Answer) async -> any Action {
        do {
            return try await body()
        } catch {
            return RequestFailed(
                request: request, error: error as? PostsError ?? .unanswered(reason: "The request failed: \(error)"))
        }
    }
}
