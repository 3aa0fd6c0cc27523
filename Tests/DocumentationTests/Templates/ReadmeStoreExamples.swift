// The README's code on stores.

import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("README: stores", .timeLimit(.minutes(10)))
struct ReadmeStoreExampleTests {

    @Test func store() async throws {
        //@block README struct GetPost

        #expect(store.state.title == "Post 1")
    }
}
