/// The dependencies of the effects of posts. Each function throws a ``PostsError``.
package struct PostsAPI: Sendable {
    package var list: @Sendable () async throws -> [Post]
    package var show: @Sendable (_ id: Int) async throws -> Post
    package var create: @Sendable (_ draft: Draft) async throws -> Post
    package var delete: @Sendable (_ id: Int) async throws -> Void

    package init(
        list: @escaping @Sendable () async throws -> [Post],
        show: @escaping @Sendable (_ id: Int) async throws -> Post,
        create: @escaping @Sendable (_ draft: Draft) async throws -> Post,
        delete: @escaping @Sendable (_ id: Int) async throws -> Void
    ) {
        self.list = list
        self.show = show
        self.create = create
        self.delete = delete
    }
}
