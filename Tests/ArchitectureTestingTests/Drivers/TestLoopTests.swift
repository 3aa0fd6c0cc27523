import ArchitectureTesting
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// What only a driver of a loop does: it states effects, the start, the end and event sources.
@Suite(.timeLimit(.minutes(10))) struct TestLoopTests {
    private let orders = Orders()
    private var time: VirtualScheduler { orders.time }

    private let both = Order.all([.echo(1), .echo(2)])

    private func added(_ order: Order) -> String {
        guard let child = Mirror(reflecting: order).children.first, let label = child.label else {
            return "+ - ArchitectureTestingTests.Order.\(order)"
        }
        return "+ ▿ ArchitectureTestingTests.Order.\(label)\n+   - \(label): \(child.value)"
    }

    // MARK: - Effects

    @Test func `effects are stated in any order, and before the events that they send at once`() {
        let test = orders.loop()
        test.send(both)
        test.effects([.echo(2), .echo(1)])
        test.receive(.add(1)) { $0 = 1 }
        #expect(test.takeEffects() == [])
        test.receive(.add(2)) { $0 = 3 }
        test.effects()
        test.send(both)
        #expect(test.takeEffects() == [.echo(1), .echo(2)])
        test.skip()
        test.finish()
    }

    @Test func `effects may be stated as an array`() {
        let test = orders.loop()
        test.send(both)
        test.effects([2, 1].map(Order.echo))
        test.receive(.add(1)) { $0 = 1 }
        test.effects([])
        test.receive(.add(2)) { $0 = 3 }
        test.send(.echo(1))
        on { test.effects([.echo(2)]) }.are(
            """
            The effects of echo(1) differ (− expected, + got)
              ▿ ArchitectureTestingTests.Order.echo
            −   - echo: 2
            +   - echo: 1
            To fix, state the effects that it has, or correct the update.
            """)
        test.receive(.add(1)) { $0 = 4 }
        test.finish()
    }

    @Test func `an array literal is one effect if the effects are arrays`() {
        let update = Update<Int, Int, [Int]> { _, count in
            .dispatchEffects((0..<count).map { Array(0..<$0) })
        }
        let handler = EffectRouter<[Int], Int>().routeEffects(withParameters: { $0 }).to { (_: [Int]) in }
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler), from: 0)
        test.send(1)
        test.effects([])
        test.send(2)
        test.effects([], [0])
        test.send(3)
        test.effects([[], [0], [0, 1]])
        test.finish()
    }

    @Test func `effects that differ are reported`() {
        let test = orders.loop()
        let remedy = "To fix, state the effects that it has, or correct the update."
        test.send(both)
        on { test.effects(.echo(1), .load(3), .echo(4)) }.are(
            """
            The effects of \(both) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.Order.load
            −   - load: 3
              ▿ ArchitectureTestingTests.Order.echo
            −   - echo: 4
            +   - echo: 2
            \(remedy)
            """)
        test.receive(.add(1)) { $0 = 1 }
        on { test.effects(.echo(1)) }.are(
            """
            The effects of add(1) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.Order.echo
            −   - echo: 1
            \(remedy)
            """)
        test.receive(.add(2)) { $0 = 3 }
        test.send(.echo(1))
        on { test.effects() }.are("The effects of echo(1) differ (− expected, + got)\n\(added(.echo(1)))\n\(remedy)")
        test.receive(.add(1)) { $0 = 4 }
        test.finish()
    }

    @Test func `effects that are not stated are reported with the next statement, and at the end`() {
        let test = orders.loop { $0.routeCase(Order.other).to { (_: String) in } }
        let remedy = "To fix, state them with effects(…), or relax .work."
        test.send(both)
        on { test.receive(.add(1)) { $0 = 1 } }.are(
            """
            The effects of \(both) were not stated (− expected, + got)
            \(added(.echo(1)))
            \(added(.echo(2)))
            \(remedy)
            """)
        test.receive(.add(2)) { $0 = 3 }
        let line = #line + 1
        test.send(.other("a"))
        on { test.finish() }.are(
            """
            The effects of other("a") were not stated (− expected, + got)
            + ▿ ArchitectureTestingTests.Order.other
            +   - other: "a"
            \(remedy)
            """, at: line)
    }

    @Test func `effects that are stated twice, or before an event, are reported`() {
        let test = orders.loop()
        let text = """
            No event was stated whose effects have not been stated. To fix, state the effects once, after the send or the \
            receive of the event.
            """
        on { test.effects() }.are(text)
        test.send(.touch)
        test.effects()
        on { test.effects(.touch) }.are(text)
        on { #expect(test.takeEffects() == []) }.are(text)
        test.finish()
    }

    @Test func `relaxed effects are warnings, and wrong statements are failures`() {
        let test = orders.loop(relaxing: [.work, .messages, .calls])
        let begin = "Skipped, because .work is relaxed."
        test.send(both)
        on { test.effects(.echo(2)) }.areWarnings(
            """
            \(begin) The effects of \(both) were not stated (− expected, + got)
            \(added(.echo(1)))
            """)
        test.receive(.add(1)) { $0 = 1 }
        test.receive(.add(2)) { $0 = 3 }
        on { test.effects(.echo(2)) }.are(
            """
            The effects of add(2) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.Order.echo
            −   - echo: 2
            To fix, state the effects that it has, or correct the update.
            """)
        let line = #line + 1
        test.send(.load(5))
        on { test.finish() }.areWarnings(
            "\(begin) The effects of load(5) were not stated (− expected, + got)\n\(added(.load(5)))",
            """
            \(begin) Work is under way at the end of the test: the effect load(5) of load(5) sleeps until 1.0 s, now 0.0 s.
            """,
            "Skipped, because .calls is relaxed. The call load(5) was not expected.", at: line)
    }

    @Test func `effects of one event that replace each other are one work`() {
        let test = orders.loop()
        let effects = [Order.paused(1), .paused(2), .paused(2)]
        let sent = test.send(.all(effects))
        #expect(test.takeEffects() == effects)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.add(2)) { $0 = 2 }
        test.finish()
    }

    @Test func `effects of one event that wait under several policies are several works`() {
        let clock = time.clock
        // All routes have the same parameters.
        let test = orders.loop { router in
            (1...3).reduce(router) { router, seconds in
                router.routeEffects(withParameters: { $0 == .other("\(seconds)") ? "same" : nil })
                    .policy(.debounce(for: .seconds(seconds), clock: clock)).toEvent { _ in .add(seconds) }
            }
        }
        let sent = test.send(.all(["3", "2", "1"].map(Order.other)))
        #expect(test.takeEffects().count == 3)
        let ends = (1...3).map { WorkStatus.sleeping(until: .seconds($0)) }
        test.expectWork(sent, ends[0], ends[1], ends[2])
        test.advance(by: .seconds(1))
        test.receive(.add(1)) { $0 = 1 }
        test.expectWork(sent, ends[1], ends[2])
        test.advance(by: .seconds(1))
        test.receive(.add(2)) { $0 = 3 }
        test.expectWork(sent, ends[2])
        test.advance(by: .seconds(1))
        test.receive(.add(3)) { $0 = 6 }
        test.finish()
    }

    // MARK: - Handlers

    /// A route of `other` that the test ends by its callback.
    private func asking(
        _ callbacks: Record<EffectCallback<Order>>, _ log: Log
    ) -> (EffectRouter<Order, Order>) -> EffectRouter<Order, Order> {
        { router in
            router.routeCase(Order.other).to { (_: String, callback: EffectCallback<Order>) in
                callbacks.append(callback)
                return AnonymousDisposable { log.append("disposed") }
            }
        }
    }

    @Test func `the test ends an effect by its callback`() {
        let callbacks = Record<EffectCallback<Order>>()
        let test = orders.loop(asking(callbacks, Log()))
        let sent = test.send(.other("ask"))
        test.effects(.other("ask"))
        test.expectWork(sent, .waiting)
        callbacks.values[0].send(.add(1))
        test.receive(.add(1)) { $0 = 1 }
        test.expectWork(sent, .waiting)
        callbacks.values[0].end(with: .add(2))
        test.receive(.add(2)) { $0 = 3 }
        test.expectWork(sent)
        test.finish()
        callbacks.removeAll()
    }

    @Test func `a handler that throws may send the event of its error`() {
        let clock = time.clock
        let test = orders.loop { router in
            router.routeCase(Order.other).toEvent { (_: String) async throws -> Order? in
                try await clock.sleep(for: .seconds(1))
                throw Offline()
            } onError: { error, _ in
                .add("\(error)".count)
            }
        }
        test.send(.other("a"))
        test.effects(.other("a"))
        test.advance(by: .seconds(1))
        test.receive(.add(9)) { $0 = 9 }
        test.finish()
    }

    @Test func `an observer of errors receives the errors that are stated`() {
        let errors = Record<String>()
        let test = orders.loop(builder: { builder in
            builder.onError { error, source in errors.append("\(source): \(error)") }
        })
        test.send(.fail)
        test.effects(.fail)
        test.expectFailure(Offline.self)
        test.finish()
        #expect(errors.values.count == 1)
    }

    /// An effect handler without a router.
    private struct PlainHandler: Connectable, Sendable {
        let time: VirtualScheduler

        func connect(_ consumer: @escaping Consumer<Order>) -> Connection<Order> {
            Connection(
                acceptClosure: { [time] effect in
                    if case .echo(let number) = effect { return consumer(.add(number)) }
                    Task(executorPreference: time.executor) {
                        try await time.clock.sleep(for: .seconds(1))
                        consumer(.add(1))
                    }
                },
                disposeClosure: {})
        }
    }

    @Test func `a handler that is a connectable is not left over, and its tasks are work`() {
        let builder = Mobius.loop(update: Orders.update, effectHandler: PlainHandler(time: time))
        let test = TestLoop(builder, from: 0, effects: [.echo(2)], time: time)
        test.receive(.add(2)) { $0 = 2 }
        let sent = test.send(.load(1))
        test.effects(.load(1))
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.add(1)) { $0 = 3 }
        test.finish()
    }

    // MARK: - Beginnings

    @Test func `first effects are handled, need not be stated, and are work of the loop`() {
        let line = #line + 1
        let test = orders.loop(effects: [.echo(1), .wait, .paused(2)])
        test.receive(.add(1)) { $0 = 1 }
        let begin = "Work is under way at the end of the test: the effect"
        on { test.finish() }.are(
            "\(begin) wait of the loop \(never). To fix, let it end, cancel it, or relax .work.",
            """
            \(begin) paused(2) of the loop sleeps until 1.0 s, now 0.0 s. To fix, advance(by: .seconds(1)), cancel it, or \
            relax .work.
            """, at: line)
        test.advance(by: .seconds(1))
        test.receive(.add(2)) { $0 = 3 }
        test.dispose()
        test.finish()
    }

    @Test func `what initiate does is stated as for an event, or reported`() {
        let initiate: Initiate<Int, Order> = { First(model: $0 + 1, effects: [.echo(1), .echo(2)]) }
        let builder = Mobius.loop(update: Orders.update, effectHandler: orders.router)
        let test = TestLoop(builder, from: 1, initiate: initiate) { $0 = 2 }
        test.effects(.echo(1), .echo(2))
        test.receive(.add(1)) { $0 = 3 }
        test.receive(.add(2)) { $0 = 5 }
        test.finish()
        #expect(test.state == 5)
        on { _ = TestLoop(builder, from: 0, initiate: { First(model: $0 + 1, effects: [.wait]) }) }.are(
            """
            The state after initiate differs (− expected, + got)
            − - 0
            + - 1
            To fix, state the change in a closure, or relax .state.
            """,
            """
            The effects of initiate were not stated (− expected, + got)
            \(added(.wait))
            To fix, state them with effects(…), or relax .work.
            """,
            """
            Work is under way at the end of the test: the effect wait of the loop \(never). To fix, let it end, cancel it, \
            or relax .work.
            """)
    }

    // MARK: - Ends

    @Test func `disposing ends all work, and later events are dropped`() {
        let (callbacks, log) = (Record<EffectCallback<Order>>(), Log())
        let test = orders.loop(asking(callbacks, log))
        let sent = test.send(.all([.wait, .other("ask")]))
        test.effects(.wait, .other("ask"))
        test.dispose()
        test.expectWork(sent)
        #expect(log.lines == ["disposed"])
        #expect(orders.errors.lines == ["CancellationError()"])
        callbacks.values[0].end(with: .add(1))
        test.dispose()
        test.finish()
        #expect(test.state == 0)
        on { test.send(.touch) }.are(
            "touch was sent after the end of the loop. To fix, send it before, or create another driver.")
        callbacks.removeAll()
    }

    @Test func `an event is not sent if a job that is ready before the send disposes the loop`() {
        let test = orders.loop()
        test.send(.touch)
        let loop = test.loop
        Task(executorPreference: time.executor) { loop.dispose() }
        on { test.send(.touch) }.are(
            "touch was sent after the end of the loop. To fix, send it before, or create another driver.")
        test.finish()
    }

    @Test func `the program may dispose the loop, in a handler, too`() {
        let quit = Locked<@Sendable () -> Void>({})
        let test = orders.loop { $0.routeCase(Order.other).to { (_: String) in quit.withLock { $0 }() } }
        quit.withLock { $0 = { [weak loop = test.loop] in loop?.dispose() } }
        let sent = test.send(.wait)
        test.effects(.wait)
        test.send(.other("quit"))
        test.effects(.other("quit"))
        test.expectWork(sent)
        test.finish()
        #expect(orders.errors.lines == ["CancellationError()"])
    }

    // MARK: - Event sources and transformers

    /// An event each second while the count is odd.
    private struct OddSource: Connectable, Sendable {
        let time: VirtualScheduler

        func connect(_ consumer: @escaping Consumer<Order>) -> Connection<Int> {
            let task = Locked<Task<Void, Never>?>(nil)
            return Connection(
                acceptClosure: { [time] count in
                    task.withLock { task in
                        task?.cancel()
                        if count % 2 == 0 { return }
                        task = Task(executorPreference: time.executor) {
                            if (try? await time.clock.sleep(for: .seconds(1))) != nil { consumer(.add(2)) }
                        }
                    }
                },
                disposeClosure: { task.withLock { $0?.cancel() } })
        }
    }

    @Test func `an event source may depend on the model, and is named if no event comes`() {
        let time = time
        let test = orders.loop(builder: { $0.withEventSource(OddSource(time: time)) })
        test.advance(by: .seconds(5))
        let sent = test.send(.add(1)) { $0 = 1 }
        test.expectWork(sent)
        test.advance(by: .seconds(2))
        test.receive(.add(2)) { $0 = 3 }
        test.receive(.add(2)) { $0 = 5 }
        test.send(.add(1)) { $0 = 6 }
        test.advance(by: .seconds(5))
        on { test.receive(.touch) }.are(
            """
            No event came. Expected: touch
            OddSource \(never).
            To fix, let the code under test send it before, or remove the expectation.
            """)
        test.finish()
    }

    @Test func `an event source that is a sequence is not left over, and belongs to the line of the driver`() {
        let clock = time.clock
        let line = #line + 1
        let test = orders.loop(builder: { builder in
            builder.withEventSource {
                AsyncStream<Order> { (try? await clock.sleep(for: .seconds(1))).map { .add(1) } }
            }
        })
        test.advance(by: .seconds(1.5))
        test.receive(.add(1)) { $0 = 1 }
        test.advance(by: .seconds(1))
        on { test.finish() }.are(
            """
            The event add(1) came, and was not received before the end of the test (− expected, + got)
            − - 1
            + - 2
            To fix, receive it, or relax .messages.
            """, at: line)
    }

    @Test func `an event source that fails is reported at the line of the driver`() {
        let (clock, isFirst) = (time.clock, Locked(true))
        let line = #line + 1
        let test = orders.loop(builder: { builder in
            builder.withEventSource {
                AsyncThrowingStream<Order, any Error> {
                    guard
                        isFirst.withLock({ isFirst in
                            defer { isFirst = false }
                            return isFirst
                        })
                    else { throw Offline() }
                    try await clock.sleep(for: .seconds(1))
                    return .add(1)
                }
            }
        })
        test.advance(by: .seconds(1))
        test.receive(.add(1)) { $0 = 1 }
        on { test.finish() }.are(
            """
            The event source AsyncThrowingStream<Order, Error> has failed: Offline(). To fix, state it with expectFailure, \
            or relax .work.
            """, at: line)
    }

    @Test func `an event that a transformer changes is stated as sent, and further ones are received`() {
        let test = orders.loop(builder: { builder in
            builder.withEventConsumerTransformer { consumer in
                { event in
                    guard case .add(let number) = event else { return }
                    for number in 0..<number { consumer(.add(number * 10)) }
                }
            }
        })
        test.send(.add(3))
        test.receive(.add(10)) { $0 = 10 }
        test.receive(.add(20)) { $0 = 30 }
        test.loop.dispatchEvent(.add(0))
        on { test.send(.touch) }.are(
            """
            touch was sent, and a transformer of the loop has dropped or delayed it. To fix, pass it to the method \
            dispatchEvent of the loop, and receive what comes of it.
            """)
        test.finish()
    }

    // MARK: - Orders

    @Test func `all orders of concurrent effects can be tried, and a lost update is found`() async {
        /// Increments a number that it has read before it waited.
        func counts(_ order: StepOrder) -> Int {
            let (time, number) = (VirtualScheduler(order: order), Locked(0))
            let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { (step: Int) async in
                let read = number.withLock { $0 }
                await Task.yield()
                number.withLock { $0 = read + step }
            }
            let builder = Mobius.loop(
                update: Update<Int, Int, Int> { _, step in .dispatchEffects([step]) }, effectHandler: router)
            let test = TestLoop(builder, from: 0, effects: [1, 1], time: time)
            test.finish()
            return number.withLock { $0 }
        }
        let results = Record<Int>()
        await forAllOrders { order in results.append(counts(order)) }
        #expect(Set(results.values) == [1, 2])
    }
}
