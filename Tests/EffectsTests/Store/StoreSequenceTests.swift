import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Asynchronous sequences into the store and out of it.
@Suite(.timeLimit(.minutes(10))) struct StoreSequenceTests {
    private struct Broken: Error {}

    @Test("73. A store dispatches the actions of a sequence, and continues after the sequence ends")
    func feeding() {
        let executor = ManualExecutor()
        let store = Store(reducer: counting, initialState: 0, executor: executor)
        let (actions, feed) = AsyncStream<Add>.makeStream()
        let registration = store.dispatch(actionsOf: { actions })
        for amount in 1...3 { feed.yield(Add(amount: amount)) }
        executor.drain()
        #expect(store.state == 6)
        #expect("\(registration.status)" == "running")
        feed.finish()
        executor.drain()
        #expect("\(registration.status)" == "finished")
        store.dispatch(action: Increment())
        #expect(store.state == 7)
    }

    @Test("73. A feed ends when its registration is cancelled or its store is deallocated")
    func endingAFeed() {
        let executor = ManualExecutor()
        let ends = Log()
        func feed() -> (AsyncStream<Increment>, AsyncStream<Increment>.Continuation) {
            let (actions, feed) = AsyncStream<Increment>.makeStream()
            feed.onTermination = { _ in ends.append("ended") }
            return (actions, feed)
        }
        var store: Store<Int>? = Store(reducer: counting, initialState: 0, executor: executor)
        let ((first, feedFirst), (second, feedSecond)) = (feed(), feed())
        let registration = store?.dispatch(actionsOf: { first })
        store?.dispatch(actionsOf: { second })
        executor.drain()
        registration?.cancel()
        feedFirst.yield(Increment())
        feedSecond.yield(Increment())
        executor.drain()
        #expect(store?.state == 1)
        #expect(ends.lines.count == 1)
        store = nil
        executor.drain()
        #expect(ends.lines.count == 2)
    }

    @Test("A feed that fails is reported with its source location and does not restart")
    func failingFeed() {
        let executor = ManualExecutor()
        let store = Store(reducer: counting, initialState: 0, executor: executor)
        let errors = store.recordedErrors()
        let registration = store.dispatch(
            actionsOf: {
                AsyncThrowingStream<Increment, any Error> { feed in
                    feed.yield(Increment())
                    feed.finish(throwing: Broken())
                }
            }, file: "Home/Feed.swift", line: 3)
        executor.drain()
        #expect(store.state == 1)
        #expect(errors.values == ["The effect of Home/Feed.swift:3 has ended. It failed: Broken()"])
        #expect("\(registration.status)" == "failed(\(String(reflecting: Broken())))")
    }

    @Test("states(buffering:) begins with the current state, drops what its argument says, and ends with the store")
    func states() async {
        var store: Store<Int>? = Store(reducer: counting, initialState: 0)
        let streams = [
            store!.states(), store!.states(buffering: .bufferingNewest(2)),
            store!.states(buffering: .bufferingOldest(2)),
        ]
        for _ in 0..<4 { store!.dispatch(Increment()) }
        store = nil
        #expect(await elements(of: streams) == [[0, 1, 2, 3, 4], [3, 4], [0, 1]])
    }

    @Test("actions(buffering:) emits later actions, drops what its argument says, and ends with the store")
    func actions() async {
        var store: Store<Int>? = Store(reducer: counting, initialState: 0)
        store!.dispatch(Acknowledged())
        let streams = [
            store!.actions(), store!.actions(buffering: .bufferingNewest(1)),
            store!.actions(buffering: .bufferingOldest(1)),
        ]
        for amount in 1...3 { store!.dispatch(Add(amount: amount)) }
        store = nil
        let amounts = await elements(of: streams).map { actions in actions.map { ($0 as? Add)?.amount } }
        #expect(amounts == [[1, 2, 3], [3], [1]])
    }

    @Test("actions() emits an action after the action has changed the state")
    func actionsAfterStates() async {
        let store = Store(reducer: counting, initialState: 0)
        let actions = store.actions()
        store.dispatch(action: Add(amount: 5))
        for await action in actions {
            #expect((action as? Add)?.amount == store.state)
            break
        }
    }
}
