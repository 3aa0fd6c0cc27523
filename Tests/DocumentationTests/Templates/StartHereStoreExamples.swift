// The code on stores of the article that a newcomer starts with.

import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("Start here: stores", .timeLimit(.minutes(10)))
struct StartHereStoreExampleTests {
    //@block FunctionalArchitecture/StartHere struct GetPost

    //@block FunctionalArchitecture/StartHere @Test func aPostIsShown()

    @Test func store() async throws {
        //@block FunctionalArchitecture/StartHere let store

        #expect(store.state.title == "Post 1")
    }
}
