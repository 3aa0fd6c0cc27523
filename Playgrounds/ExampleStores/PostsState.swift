/// What is seen of posts, and what is under way.
package struct PostsState: Sendable, Equatable {
    package var page = Page.blank
    package var requests: [Request] = []
    package var connection = Connection.unbroken
    /// Whether something could not be done.
    package var hasFailed = false

    package init() {}
}
