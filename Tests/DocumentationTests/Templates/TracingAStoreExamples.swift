// The code of the article on tracing a store.

import Effects
import FunctionalCore
import Testing

@Suite("The article on tracing a store", .timeLimit(.minutes(10)))
struct TracingAStoreExampleTests {
    @Test func answers() async throws {
        struct GetPost: Action { let id: String }
        struct GetPostSuccess: Action { let title: String }
        struct PostState: Equatable { var title = "" }
        let reducer: ReducerFn<PostState> = on(GetPostSuccess.self) { state, success in state.title = success.title }
        let getPostEffect = Effect.map(GetPost.self) { get in GetPostSuccess(title: "post \(get.id)") }

        //@block Effects/TracingAStore let events

        guard case .received(let action, from: .caller)? = question?.kind else {
            Issue.record("\(String(describing: question))")
            return
        }
        #expect((action.value as? GetPost)?.id == "1")
    }
}
