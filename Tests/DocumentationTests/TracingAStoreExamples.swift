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

        let events = TraceBuffer()
        let store = Store(
            reducer: reducer, initialState: PostState(), effects: [getPostEffect], trace: Trace(to: events))

        store.dispatch(action: GetPost(id: "1"))
        try await store.settled()

        let answer = events.all.first { event in
            if case .received(let action, from: .effect) = event.kind { action.value is GetPostSuccess } else { false }
        }
        let question = events.all.first { event in event.id == answer?.root }  // received GetPost(id: "1")

        guard case .received(let action, from: .caller)? = question?.kind else {
            Issue.record("\(String(describing: question))")
            return
        }
        #expect((action.value as? GetPost)?.id == "1")
    }
}
