import FunctionalCore
package import MemoryServer

/// A server of posts in memory. To an effect, its functions are like those of a `PostsServer`.
package final class PostsMemory: Sendable {
    package static let examples = [
        Post(id: 1, title: "First", body: "Hello."), Post(id: 2, title: "Second", body: "A post\nwith two lines."),
    ]

    package let conditions: ServerConditions
    private let posts: Ref<[Post]>

    package init(posts: [Post] = PostsMemory.examples, conditions: ServerConditions = ServerConditions()) {
        self.conditions = conditions
        self.posts = Ref(posts)
    }

    package var api: PostsAPI {
        PostsAPI(
            list: { [self] in try await answer { $0 } },
            show: { [self] id in
                try await answer(of: id) { posts in
                    guard let post = posts.first(where: { $0.id == id }) else { throw PostsError.noSuchPost(id: id) }
                    return post
                }
            },
            create: { [self] draft in
                try await answer { posts in
                    let id = (posts.map(\.id).max() ?? 0) + 1
                    let post = Post(id: id, title: draft.title, body: draft.body)
                    posts.append(post)
                    return post
                }
            },
            delete: { [self] id in
                try await answer(of: id) { posts in
                    guard let index = posts.firstIndex(where: { $0.id == id }) else {
                        throw PostsError.noSuchPost(id: id)
                    }
                    posts.remove(at: index)
                }
            })
    }

    /// Returns the result of `body` after the time of an answer. A request that fails changes nothing.
    private func answer<Value: Sendable>(
        of id: Int? = nil, _ body: @Sendable (inout [Post]) throws -> Value
    ) async throws -> Value {
        do {
            try await conditions.answer()
        } catch ServerConditions.Fault.status(let status) {
            if let id, status == 404 { throw PostsError.noSuchPost(id: id) }
            throw PostsError.status(status)
        } catch let fault as ServerConditions.Fault {
            throw PostsError.unanswered(reason: "\(fault)")
        }
        return try posts.modify(body)
    }
}
