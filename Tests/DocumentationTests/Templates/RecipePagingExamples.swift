// The code of the recipe for paging.

import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipePaging struct PostPage

//@block Dispatcher/RecipePaging enum PostListInput

//@block Dispatcher/RecipePaging enum PostListEvent

//@block Dispatcher/RecipePaging struct LoadPage

@Suite("The recipe for paging", .timeLimit(.minutes(10)))
struct RecipePagingExampleTests {
    //@block Dispatcher/RecipePaging @Test func aPageThatIsAskedForTwiceIsLoadedOnce()

    //@block Dispatcher/RecipePaging @Test func theEndIsReachedOnce()

    //@block Dispatcher/RecipePaging @Test func aPageThatIsAskedForTwiceIsLoadedOnceByTheStore()

    private struct Offline: Error {}

    private func service(_ time: VirtualScheduler, failures: Int = 0) -> PostsService {
        let failures = Ref(failures)
        return PostsService(page: { number in
            try await time.clock.sleep(for: .seconds(1))
            let fails = failures.modify { left in
                left -= 1
                return left >= 0
            }
            if fails { throw Offline() }
            return PostPage(posts: ["post \(number)"], next: number + 1)
        })
    }

    @Test func `a page that fails can be loaded again`() {
        let time = VirtualScheduler()
        let service = self.service(time, failures: 1)
        let test = TestDriver(postList, state: PostList(), environment: service, time: time)

        let first = test.send(.load(page: 1)) { $0.status = .loading }
        test.advance(by: .seconds(1))
        test.change(from: first) { $0.status = .failed }
        let second = test.send(.load(page: 1)) { $0.status = .loading }
        test.advance(by: .seconds(1))
        test.change(from: second) { $0 = PostList(posts: ["post 1"], next: 2) }
        test.finish()
    }

    @Test func `a page that arrives after a refresh and does not continue it is dropped`() {
        let time = VirtualScheduler()
        let old = PostList(posts: ["old 1", "old 2"], next: 3)
        let test = TestDriver(postList, state: old, environment: service(time), time: time)

        let refresh = test.send(.refresh)
        test.advance(by: .milliseconds(500))
        test.send(.load(page: 3)) { $0.status = .loading }
        test.advance(by: .seconds(1))
        test.change(from: refresh) { $0 = PostList(posts: ["post 1"], next: 2) }
        test.finish()
    }

    @Test func `the loop loads page after page`() {
        let time = VirtualScheduler()
        let test = TestLoop(
            Mobius.loop(update: postListUpdate, effectHandler: postListHandler(service(time, failures: 1))),
            from: PostList(), time: time)

        test.send(.endReached) { $0.status = .loading }
        test.effects(.load(page: 1))
        test.send(.endReached)
        test.advance(by: .seconds(1))
        test.receive(.failed) { $0.status = .failed }
        for number in 1...2 {
            test.send(.endReached) { $0.status = .loading }
            test.effects(.load(page: number))
            test.advance(by: .seconds(1))
            test.receive(.loaded(PostPage(posts: ["post \(number)"], next: number + 1), number: number)) {
                $0.append(PostPage(posts: ["post \(number)"], next: number + 1), number: number)
            }
        }
        test.finish()
    }
}
