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
    /// Returns the result of `body`, or an action that reports its failure.
    ///
    /// An effect whose stream fails restarts and cancels its other requests, so failures are actions here.
    func answered(_ body: () async throws -> any Answer) async -> any Action {
        do {
            return try await body()
        } catch {
            return RequestFailed(
                request: request, error: error as? PostsError ?? .unanswered(reason: "The request failed: \(error)"))
        }
    }
}
