import ArchitectureTesting
import Effects
import ExampleStores
import Foundation
import TestSupport
import Testing
import VirtualTime

/// The store of posts, without its executable.
@Suite(.timeLimit(.minutes(10))) struct PostsStoreTests {
    private static let first = Post(id: 1, title: "First", body: "a\n\nb\u{1B}\tc")
    private static let second = Post(id: 2, title: "Second")
    private static let draft = Draft(title: "New", body: "text")

    private let scheduler = VirtualScheduler()
    private let calls = Log()

    /// Returns a server that takes as many seconds for a post as its number, and one second for other requests.
    private func slowAPI() -> PostsAPI {
        let (calls, clock) = (calls, scheduler.clock)
        @Sendable func call(_ name: String, takes seconds: Int = 1) async throws {
            calls.append(name)
            do {
                try await clock.sleep(for: .seconds(seconds))
            } catch {
                calls.append("\(name) cancelled")
                throw error
            }
        }
        return PostsAPI(
            list: {
                try await call("list")
                return [Self.first, Self.second]
            },
            show: { id in
                try await call("show \(id)", takes: id)
                return Post(id: id, title: "Post \(id)")
            },
            create: { draft in
                try await call("create \(draft)")
                return Post(id: 3, title: draft.title, body: draft.body)
            },
            delete: { id in try await call("delete \(id)", takes: id) })
    }

    private func failingAPI(_ error: any Error) -> PostsAPI {
        PostsAPI(
            list: { throw error }, show: { _ in throw error }, create: { _ in throw error },
            delete: { _ in throw error })
    }

    private func makeStore(_ api: PostsAPI, effects: [Effect<Void>] = []) -> Store<PostsState> {
        let store = Store(
            reducer: postsReducer, initialState: PostsState(), effects: effects, executor: scheduler.executor)
        store.startRequests(to: api)
        return store
    }

    // MARK: - Reducers

    private func reduced(_ state: PostsState = PostsState(), by actions: any Action...) -> PostsState {
        actions.reduce(into: state) { postsReducer(&$0, $1) }
    }

    @Test func `a question clears the page until its answer is shown`() {
        let store = makeStore(slowAPI())
        let pages = Record<Page>()
        store.select(\.page).observe { pages.append($0) }
        for question in [ListPosts(), ListPosts(), ShowPost(id: 1), CreatePost(draft: Self.draft), DeletePost(id: 1)]
            as [any Question]
        {
            store.dispatch(action: question)
            #expect(store.state.requests == [question.request])
            #expect(store.state.page == .blank)
            scheduler.advance(by: .seconds(1))
            #expect(store.state.requests == [])
        }
        #expect(
            pages.values.filter { $0 != .blank } == [
                .list([Self.first, Self.second]), .list([Self.first, Self.second]),
                .post(Post(id: 1, title: "Post 1")), .created(Post(id: 3, title: "New", body: "text")), .deleted(id: 1),
            ])
    }

    @Test func `a newer list or show replaces the older request, a create or delete does not`() {
        let state = reduced(
            by: ListPosts(), ShowPost(id: 1), CreatePost(draft: Self.draft), DeletePost(id: 1), ListPosts(),
            ShowPost(id: 2), CreatePost(draft: Self.draft), DeletePost(id: 1))
        let create = Request.create(Self.draft)
        #expect(state.requests == [create, .delete(id: 1), .list, .show(id: 2), create, .delete(id: 1)])
        let failure = RequestFailed(request: .delete(id: 1), error: .noSuchPost(id: 1))
        #expect(reduced(state, by: failure).requests == [create, .list, .show(id: 2), create, .delete(id: 1)])
        #expect(reduced(state, by: RequestsStopped()).requests == [])
        #expect(reduced(by: failure).requests == [])
    }

    @Test func `a missing answer sets offline, the next answer of any kind resets it`() {
        let lost = RequestFailed(request: .list, error: .unanswered(reason: "x"))
        let refused = RequestFailed(request: .list, error: .status(500))
        #expect(reduced(by: refused).connection == .unbroken)
        #expect(reduced(by: PostsListed(posts: [])).connection == .unbroken)
        #expect(reduced(by: lost).connection == .broken)
        #expect(reduced(by: lost, lost, ListPosts()).connection == .broken)
        for answer in [refused, PostsListed(posts: []), PostDeleted(id: 1)] as [any Answer] {
            #expect(reduced(by: lost, answer).connection == .restored)
            #expect(reduced(by: lost, answer, lost).connection == .broken)
        }
    }

    @Test func `failures and misunderstood inputs are recorded`() {
        #expect(!reduced(by: ListPosts(), PostsListed(posts: []), RequestsStopped()).hasFailed)
        #expect(reduced(by: RequestFailed(request: .list, error: .status(500)), ListPosts()).hasFailed)
        #expect(reduced(by: Misunderstood(reason: "x"), ListPosts()).hasFailed)
    }

    // MARK: - Output

    @Test func `a page is printed as lines without control characters`() {
        #expect(Page.blank.lines == [])
        #expect(Page.list([]).lines == ["no posts"])
        #expect(Page.list([Self.first, Self.second]).lines == ["1: First", "2: Second"])
        #expect(Page.post(Self.first).lines == ["1: First", "  a", "", "  b\u{FFFD}\tc"])
        #expect(Page.post(Self.second).lines == ["2: Second"])
        #expect(
            Page.created(Post(id: 3, title: "\n\u{202E}\u{2028}👩‍🚀")).lines == ["posted 3: \u{FFFD}\u{FFFD}\u{FFFD}👩‍🚀"])
        #expect(Page.deleted(id: 1).lines == ["deleted 1"])
    }

    @Test func `the prompt lists the requests under way`() {
        #expect(selectPrompt(PostsState()) == "> ")
        let busy = reduced(by: ListPosts(), ShowPost(id: 1), CreatePost(draft: Self.draft), DeletePost(id: 2))
        #expect(selectPrompt(busy) == #"listing, showing 1, posting "New", deleting 2… > "#)
        let lost = RequestFailed(request: .list, error: .unanswered(reason: "x"))
        #expect(selectPrompt(reduced(by: lost)) == "[offline] > ")
        #expect(selectPrompt(reduced(by: lost, PostDeleted(id: 1))) == "> ")
    }

    // MARK: - Effects

    private func makeTest(_ api: PostsAPI) -> TestStore<PostsState> {
        let test = TestStore(reducer: postsReducer, state: PostsState(), time: scheduler)
        test.store.startRequests(to: api)
        return test
    }

    @Test func `the latest list and the latest show are answered, older ones are cancelled`() {
        let test = makeTest(slowAPI())
        let older = [
            test.send(ShowPost(id: 3)) { $0.requests = [.show(id: 3)] },
            test.send(ListPosts()) { $0.requests = [.show(id: 3), .list] },
        ]
        test.send(ShowPost(id: 2)) { $0.requests = [.list, .show(id: 2)] }
        test.send(ListPosts()) { $0.requests = [.show(id: 2), .list] }
        for older in older { test.expectWork(older) }
        test.advance(by: .seconds(2))
        test.receive(PostsListed(posts: [Self.first, Self.second])) {
            $0.page = .list([Self.first, Self.second])
            $0.requests = [.show(id: 2)]
        }
        test.receive(PostShown(id: 2, post: Post(id: 2, title: "Post 2"))) {
            $0.page = .post(Post(id: 2, title: "Post 2"))
            $0.requests = []
        }
        test.finish()
    }

    @Test func `posts are created in sequence, and deleted concurrently`() {
        let test = makeTest(slowAPI())
        for id in [3, 2] { test.send(DeletePost(id: id)) { $0.requests.append(.delete(id: id)) } }
        let drafts = ["A", "B"].map { Draft(title: $0) }
        let created = drafts.map { draft in
            test.send(CreatePost(draft: draft)) { $0.requests.append(.create(draft)) }
        }
        test.expectWork(created[0], .sleeping(until: .seconds(1)))
        test.expectWork(created[1], .waiting)
        test.advance(by: .seconds(1))
        test.receive(PostCreated.self) { $0.answer(.created(Post(id: 3, title: "A")), to: .create(drafts[0])) }
        test.expectWork(created[1], .sleeping(until: .seconds(2)))
        test.advance(by: .seconds(2))
        test.receive(PostDeleted(id: 2)) { $0.answer(.deleted(id: 2), to: .delete(id: 2)) }
        test.receive(PostCreated.self) { $0.answer(.created(Post(id: 3, title: "B")), to: .create(drafts[1])) }
        test.receive(PostDeleted(id: 3)) { $0.answer(.deleted(id: 3), to: .delete(id: 3)) }
        test.finish()
    }

    @Test func `a failure is an answer, and the effects continue`() {
        for error in [PostsError.status(500), .unanswered(reason: "x"), .noSuchPost(id: 1)] {
            let alerts = Log()
            let store = makeStore(failingAPI(error), effects: [alertEffect { alerts.append($0) }])
            let questions: [any Question] = [
                ListPosts(), ShowPost(id: 1), CreatePost(draft: Self.draft), DeletePost(id: 1),
            ]
            for question in questions + questions {
                store.dispatch(action: question)
                scheduler.drain()
                #expect(store.state.requests == [])
            }
            #expect(alerts.lines == Array(repeating: "\(error)", count: 8))
            #expect(store.state.connection == (error.isOffline ? .broken : .unbroken))
        }
    }

    @Test func `an unexpected error is reported as a failed request`() {
        let alerts = Log()
        let store = makeStore(failingAPI(CancellationError()), effects: [alertEffect { alerts.append($0) }])
        store.dispatch(action: ListPosts())
        scheduler.drain()
        #expect(alerts.lines == ["The request failed: CancellationError()"])
    }

    @Test func `a stop cancels all requests, and they can be started again`() {
        let store = makeStore(slowAPI())
        for id in [2, 3] { store.dispatch(action: DeletePost(id: id)) }
        for _ in 1...2 { store.dispatch(action: CreatePost(draft: Self.draft)) }
        scheduler.drain()
        store.stopRequests()
        #expect(store.state.requests == [])
        scheduler.advance(by: .seconds(9))
        #expect(
            Set(calls.lines) == [
                "delete 2", "delete 3", #"create "New""#, "delete 2 cancelled", "delete 3 cancelled",
                #"create "New" cancelled"#,
            ])
        #expect(calls.lines.count == 6)
        #expect(store.state.page == .blank)
        store.startRequests(to: slowAPI())
        store.dispatch(action: ListPosts())
        scheduler.advance(by: .seconds(1))
        #expect(store.state.page == .list([Self.first, Self.second]))
    }

    @Test func `requests end with the store`() {
        var store: Store<PostsState>? = makeStore(slowAPI())
        store?.dispatch(action: ShowPost(id: 3))
        scheduler.drain()
        store = nil
        scheduler.drain()
        #expect(calls.lines == ["show 3", "show 3 cancelled"])
        #expect(scheduler.clock.sleeperCount == 0)
    }

    @Test func `alerts report failures and misunderstood inputs, and the log all actions`() {
        let (alerts, log) = (Log(), Log())
        let store = makeStore(
            failingAPI(PostsError.noSuchPost(id: 7)),
            effects: [logEffect { log.append($0) }, alertEffect { alerts.append($0) }])
        store.dispatch(action: ShowPost(id: 7))
        scheduler.drain()
        store.dispatch(action: Misunderstood(reason: "what?"))
        #expect(alerts.lines == ["There is no post 7.", "what?"])
        #expect(
            log.lines == [
                "ShowPost(id: 7)", "RequestFailed(request: showing 7, error: There is no post 7.)",
                #"Misunderstood(reason: "what?")"#,
            ])
    }

    @Test(arguments: [true, false])
    func `settled and caughtUp return only after a notified effect returns`(isSettled: Bool) {
        let (log, isTelling, mayGoOn) = (Log(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let slow = alertEffect { reason in
            isTelling.signal()
            mayGoOn.wait()
            log.append(reason)
        }
        let store = makeStore(slowAPI(), effects: [slow])
        store.dispatch(action: ListPosts())
        @Sendable func wait() async {
            await isSettled ? store.settled() : store.caughtUp()
            log.append("waited")
        }
        // `settled()` starts before the failure, because the store is idle before its effects are notified.
        if isSettled { scheduler.start { await wait() } }
        scheduler.drain()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store.dispatch(action: RequestFailed(request: .list, error: .status(500)))
            isDone.signal()
        }
        isTelling.wait()
        if !isSettled { scheduler.start { await wait() } }
        scheduler.drain()
        log.append("telling")
        mayGoOn.signal()
        isDone.wait()
        scheduler.drain()
        #expect(log.lines == ["telling", "The server answered with status 500.", "waited"])
    }

    @Test func `settled returns at once if nothing was requested`() throws {
        let store = makeStore(slowAPI())
        try scheduler.run { await store.settled() }
    }
}

extension PostsState {
    fileprivate mutating func answer(_ page: Page, to request: Request) {
        self.page = page
        requests.removeAll { $0 == request }
    }
}
