/// The page, the requests in progress and the state of the connection.
package struct PostsState: Sendable, Equatable {
    package var page = Page.blank
    package var requests: [Request] = []
    package var connection = Connection.unbroken
    /// Whether a request failed or an input was not understood.
    package var hasFailed = false

    package init() {}
}
