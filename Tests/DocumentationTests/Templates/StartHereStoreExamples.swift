// The code on stores of the article that a newcomer starts with.

import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("Start here: stores", .timeLimit(.minutes(10)))
struct StartHereStoreExampleTests {

    @Test func store() async throws {
        //@block FunctionalArchitecture/StartHere struct GetPost

        #expect(store.state.title == "Post 1")
    }
}
