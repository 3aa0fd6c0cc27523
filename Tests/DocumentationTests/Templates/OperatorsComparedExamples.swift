// The code of the article that compares the operators of streams.

import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("The article that compares operators", .timeLimit(.minutes(10)))
struct OperatorsComparedExampleTests {
    //@block Effects/OperatorsCompared struct NameChanged

    private let scheduler = VirtualScheduler()
    private let log = Log()

    /// A store whose state is the list of its actions.
    private func store(_ effect: Effect<Void>) -> Store<[String]> {
        Store(
            reducer: { lines, action in lines.append("\(action)") }, initialState: [], effects: [effect],
            executor: scheduler.executor)
    }

    @Test func latest() {
        //@block Effects/OperatorsCompared var submitting
        let store = store(submitting)
        for action in [Submit(), NameChanged(name: "a"), NameChanged(name: "ab"), Submit()] as [any Action] {
            store.dispatch(action: action)
        }
        #expect(store.state.filter { $0.contains("Register") } == ["Register(name: \"ab\")"])
    }

    @Test func refresh() {
        let (clock, requests) = (scheduler.clock, Log())
        let titles: @Sendable () async throws -> [String] = {
            requests.append("request")
            return ["a"]
        }
        //@block Effects/OperatorsCompared var refreshing
        let store = store(refreshing)
        store.dispatch(action: Refresh())
        scheduler.advance(by: .seconds(60))
        #expect(requests.lines.count == 3)
        store.dispatch(action: Closed())
        scheduler.advance(by: .seconds(60))
        #expect(requests.lines.count == 3)
        #expect(clock.sleeperCount == 0)
    }

    @Test(arguments: [(1, "[\"a\"]", "Loaded(titles: [\"a\"])"), (1, "?", "LoadFailed()"), (20, "[]", "LoadFailed()")])
    func decode(seconds: Int, text: String, expected: String) {
        let clock = scheduler.clock
        let download: @Sendable () async throws -> Data = {
            try await clock.sleep(for: .seconds(seconds))
            return Data(text.utf8)
        }
        //@block Effects/OperatorsCompared var loading
        let store = store(loading)
        store.dispatch(action: Refresh())
        scheduler.advance(by: .seconds(30))
        #expect(store.state == ["Refresh()", expected])
    }

    @Test func share() {
        let requests = Log()
        let titles: @Sendable () async throws -> [String] = {
            requests.append("request")
            return ["a", "b"]
        }
        //@block Effects/OperatorsCompared var sharing
        let store = store(sharing)
        store.dispatch(action: Refresh())
        scheduler.drain()
        #expect(requests.lines.count == 1)
        #expect(store.state == ["Refresh()", "Loaded(titles: [\"a\", \"b\"])", "Indexed(count: 2)"])
    }

    @Test func events() {
        let (clock, log) = (scheduler.clock, log)
        let download: @Sendable () async throws -> Data = {
            try await clock.sleep(for: .seconds(1))
            return Data()
        }
        //@block Effects/OperatorsCompared var watching
        let store = store(watching)
        store.dispatch(action: Refresh())
        store.dispatch(action: Refresh())
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["stopped", "done"])
    }

    /// The rows of the table of operators that are written with others.
    @Test func written() {
        let (log, value) = (Log(), 7)
        let one = ActionStream.sequence([1, 2, 3])
        let streams: [ActionStream<[Int]>] = [
            one.combineLatest(.just(4)).map { a, b in [a, b] },
            ActionStream.sequence([one, one]).flatMap { $0 }.collect(),
            one.collect().map { [$0.reduce(0, +), $0.count, $0.last ?? 0, $0.max() ?? 0] },
            one.filter { _ in false }.collect(),
            one.filter { _ in false }.collect().flatMap { .sequence($0.isEmpty ? [value] : $0) }.map { [$0] },
            one.share { shared in shared.zip(shared.dropFirst()).map { [$0, $1] } },
            ActionStream.sequence([one, one]).flatMap(.latest) { $0 }.collect(),
            .just([value]).delay(for: .seconds(1), clock: scheduler.clock),
        ]
        let store = store(
            Effect(dispatch: false) { _ in
                ActionStream.sequence(streams).flatMap(.queued) { $0.collect() }.handleEvents { log.append("\($0)") }
                    .map { _ in Refresh() }
            })
        scheduler.advance(by: .seconds(1))
        #expect(
            log.lines == [
                "[[3, 4]]", "[[1, 2, 3, 1, 2, 3]]", "[[6, 3, 3, 3]]", "[[]]", "[[7]]", "[[1, 2], [2, 3]]",
                "[[1, 2, 3, 1, 2, 3]]", "[[7]]",
            ])
        withExtendedLifetime(store) {}
    }
}
