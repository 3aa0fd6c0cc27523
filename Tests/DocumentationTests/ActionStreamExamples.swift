// The code in the comments of the operators of streams.

import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("The comments of the operators of streams", .timeLimit(.minutes(10)))
struct ActionStreamExampleTests {
    struct NameChanged: Action { let text: String }
    struct AmountChanged: Action { let value: Int }
    struct FormChanged: Action { let name: String, amount: Int }
    struct Opened: Action { let date: Int }
    struct Closed: Action { let date: Int }
    struct Visit: Action { let from, to: Int }
    struct Submit: Action { let form: Int }
    struct Register: Action { let form: Int, name: String }
    struct Connect: Action { let room: Int }
    struct Disconnect: Action {}
    struct Message: Action { let text: String }
    struct Refresh: Action {}
    struct Viewed: Action { let id: Int }
    struct Reported: Action { let ids: [Int] }
    struct GetPost: Action { let id: Int }
    struct Post: Codable, Sendable { let title: String, words: [String] }
    struct GetPostSuccess: Action { let post: Post }
    struct GetPostError: Action {}
    struct Loaded: Action { let title: String }
    struct Indexed: Action { let words: [String] }
    struct TooSlow: Error {}
    struct Offline: Error {}

    private let scheduler = VirtualScheduler()
    private let log = Log()
    private var clock: VirtualClock { scheduler.clock }

    /// Returns the actions that an effect answers to `actions`.
    private func answers(
        to actions: [any Action],
        _ stream: (ActionStream<any Action>) -> ActionStream<any Action>
    ) -> [String] {
        let record = Log()
        let store = Store(
            reducer: { (_: inout Void, _) in }, initialState: (),
            effects: [Effect(dispatch: false) { stream($0).handleEvents { record.append("\($0)") } }],
            executor: scheduler.executor)
        for action in actions { store.dispatch(action: action) }
        scheduler.advance(by: .seconds(60))
        return record.lines
    }

    @Test func combining() {
        #expect(
            answers(to: [NameChanged(text: "a"), AmountChanged(value: 2)]) { actions in
                actions.ofType(NameChanged.self).combineLatest(actions.ofType(AmountChanged.self))
                    .map { name, amount in FormChanged(name: name.text, amount: amount.value) }
            } == ["FormChanged(name: \"a\", amount: 2)"])
        #expect(
            answers(to: [Opened(date: 1), Opened(date: 2), Closed(date: 3)]) { actions in
                actions.ofType(Opened.self).zip(actions.ofType(Closed.self))
                    .map { opened, closed in Visit(from: opened.date, to: closed.date) }
            } == ["Visit(from: 1, to: 3)"])
        #expect(
            answers(to: [NameChanged(text: "a"), Submit(form: 1)]) { actions in
                actions.ofType(Submit.self).withLatestFrom(actions.ofType(NameChanged.self))
                    .map { submit, name in Register(form: submit.form, name: name.text) }
            } == ["Register(form: 1, name: \"a\")"])
    }

    @Test func limiting() {
        @Sendable func messages(of room: Int) -> ActionStream<any Action> { .just(Message(text: "\(room)")) }
        #expect(
            answers(to: [Connect(room: 1), Disconnect()]) { actions in
                actions.ofType(Connect.self).flatMap { connect in
                    messages(of: connect.room).prefix(untilOutputFrom: actions.ofType(Disconnect.self))
                }
            } == ["Message(text: \"1\")"])
        @Sendable func posts() -> ActionStream<any Action> { .just(Loaded(title: "a")) }
        #expect(
            answers(to: [Refresh()]) { actions in
                actions.ofType(Refresh.self).prepend(Refresh())
                    .flatMap(.latest) { _ in posts() }
            } == ["Loaded(title: \"a\")", "Loaded(title: \"a\")"])
        @Sendable func report(_ ids: [Int]) async throws -> any Action { Reported(ids: ids) }
        #expect(
            answers(to: (1...25).map { Viewed(id: $0) }) { actions in
                actions.ofType(Viewed.self).map(\.id).collect(20)
                    .flatMap { ids in try await report(ids) }
            } == ["Reported(ids: \(Array(1...20)))"])
    }

    @Test func failing() {
        @Sendable func cached(_ url: String) -> ActionStream<any Action> { .just(Loaded(title: url)) }
        @Sendable func download(_ url: String) -> ActionStream<any Action> { .fail(Offline()) }
        #expect(
            answers(to: [Refresh()]) { actions in
                let url = "a"
                return download(url).catch { _ in cached(url) }
            } == ["Loaded(title: \"a\")"])
        let data = Data(#"{ "title": "a", "words": [] }"#.utf8)
        @Sendable func download(_ id: Int) async throws -> Data { data }
        #expect(
            answers(to: [GetPost(id: 1)]) { actions in
                actions.ofType(GetPost.self).flatMap { get in
                    ActionStream { try await download(get.id) }
                        .tryMap { data in GetPostSuccess(post: try JSONDecoder().decode(Post.self, from: data)) }
                }
                .eraseActionType()
            }.count == 1)
    }

    @Test func sharing() {
        let post = Post(title: "a", words: ["b"])
        @Sendable func download(_ get: GetPost) -> ActionStream<Post> { .just(post) }
        #expect(
            answers(to: [GetPost(id: 1)]) { actions in
                actions.ofType(GetPost.self).flatMap(download).share { post in
                    post.map { Loaded(title: $0.title) }.eraseActionType()
                        .merge(with: post.map { Indexed(words: $0.words) }.eraseActionType())
                }
            } == ["Loaded(title: \"a\")", "Indexed(words: [\"b\"])"])
    }

    @Test func time() {
        let clock = clock
        @Sendable func getPost(_ id: Int) async throws -> any Action {
            try await clock.sleep(for: .seconds(20))
            return Refresh()
        }
        let slow = answers(to: [GetPost(id: 1)]) { actions in
            actions.ofType(GetPost.self).flatMap { get in
                ActionStream<any Action> { try await getPost(get.id) }
                    .timeout(.seconds(10), clock: clock, customError: { TooSlow() })
                    .replaceError(with: GetPostError())
            }
        }
        #expect(slow == ["GetPostError()"])
        struct Search: Action { let text: String }
        struct Found: Action { let results: [String] }
        @Sendable func results(_ text: String) async throws -> [String] { [text] }
        #expect(
            answers(to: [Search(text: "a"), Search(text: "b")]) { actions in
                actions.ofType(Search.self).flatMap(.latest) { search in
                    try await clock.sleep(for: .milliseconds(300))
                    return Found(results: try await results(search.text))
                }
            } == ["Found(results: [\"b\"])"])
        #expect(
            answers(to: [Opened(date: 1)]) { actions in
                actions.ofType(Opened.self).flatMap(.latest) { _ in
                    ActionStream.interval(.seconds(30), clock: clock)
                        .map { _ in Refresh() }
                        .prefix(untilOutputFrom: actions.ofType(Closed.self))
                }
                .eraseActionType()
            } == ["Refresh()", "Refresh()"])
    }

    @Test func events() {
        let lines = self.log
        @Sendable func log(_ line: String) { lines.append(line) }
        @Sendable func upload(_ file: Int) -> ActionStream<any Action> { .just(Refresh()) }
        let file = 1
        _ = answers(to: []) { _ in
            upload(file).handleEvents(
                receiveCompletion: { error in log(error.map { "failed: \($0)" } ?? "uploaded") },
                receiveCancel: { log("cancelled") })
        }
        #expect(lines.lines == ["uploaded"])
    }
}
