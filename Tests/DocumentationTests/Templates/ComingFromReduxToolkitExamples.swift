// The code of the article for those who come from Redux Toolkit.

import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Coming from Redux Toolkit", .timeLimit(.minutes(10)))
struct ComingFromReduxToolkitExampleTests {
    @Test func aStoreHasSlicesAndRequests() async throws {
        //@block FunctionalArchitecture/ComingFromReduxToolkit struct Posts

        //@block FunctionalArchitecture/ComingFromReduxToolkit struct Counter

        //@block FunctionalArchitecture/ComingFromReduxToolkit func makeStore

        //@block FunctionalArchitecture/ComingFromReduxToolkit let summary

        struct Offline: Error {}
        let store = makeStore(
            API { id in
                guard id > 0 else { throw Offline() }
                return "Post \(id)"
            })
        let summaries = store.select(summary)
        store.dispatch(action: Increment())
        store.dispatch(action: Added(amount: 2))
        store.dispatch(action: FetchPost(id: 1))
        try await store.settled()
        #expect(summaries.value == "3 taps, 1 posts")
        store.dispatch(action: FetchPost(id: 0))
        #expect(store.state.posts.status == .loading)
        try await store.settled()
        #expect(store.state.posts == Posts(status: .failed, titles: ["Post 1"]))
    }

    @Test func aListenerWaitsForAPause() {
        //@block FunctionalArchitecture/ComingFromReduxToolkit struct TextChanged

        let time = VirtualScheduler()
        let runner = EffectRunner(searching(time.clock), scheduler: time)
        let answers = runner.run(TextChanged(text: "o"), TextChanged(text: "owls"), expecting: 1)
        #expect((answers.first as? SearchFor)?.text == "owls")
    }
}
