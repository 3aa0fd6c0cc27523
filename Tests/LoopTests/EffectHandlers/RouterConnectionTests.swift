import Dispatch
import Foundation
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// The connections of a router, until after their disposal.
@Suite(.timeLimit(.minutes(10))) struct RouterConnectionTests {
    private let log = Log()

    /// Keeps the callbacks of its effects, and logs the effects that are disposed.
    private final class Keeper: Sendable {
        let callbacks = Record<EffectCallback<String>>()
        let disposals = Log()

        var router: EffectRouter<String, String> {
            EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to {
                [callbacks, disposals] text, callback in
                callbacks.append(callback)
                return AnonymousDisposable { disposals.append(text) }
            }
        }
    }

    // MARK: - Disposing

    @Test("55, 57. Disposing a connection disposes its effects under way once, in order")
    func disposesWhatIsUnderWay() {
        let keeper = Keeper()
        let connection = keeper.router.connect { _ in }
        for effect in ["a", "b", "c"] { connection.accept(effect) }
        #expect(keeper.disposals.lines == [])
        connection.dispose()
        connection.dispose()
        #expect(keeper.disposals.lines == ["a", "b", "c"])
        let idle = Keeper()
        idle.router.connect { _ in }.dispose()
        #expect(idle.disposals.lines == [])
    }

    @Test("55. Disposing a connection disposes handlers that ignore their callback")
    func disposesWithoutCallback() {
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
            .to { [log] text, _ in AnonymousDisposable { log.append(text) } }
            .connect { _ in }
        for effect in ["a", "b", "c"] { connection.accept(effect) }
        connection.dispose()
        #expect(log.lines == ["a", "b", "c"])
    }

    @Test("56. The disposable of a handler whose callback has ended is never disposed")
    func endedIsNotDisposed() {
        let callbacks = Record<EffectCallback<String>>()
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
            .to { [log] text, callback in
                if text == "before" { callback.end() } else { callbacks.append(callback) }
                return AnonymousDisposable { log.append(text) }
            }
            .connect { _ in }
        connection.accept("before")
        connection.accept("after")
        callbacks.values[0].end(with: "event")
        connection.dispose()
        #expect(log.lines == [])
    }

    @Test("58. Releasing a connection disposes its effects under way")
    func dropping() {
        let keeper = Keeper()
        var connection: Connection<String>? = keeper.router.connect { _ in }
        connection?.accept("a")
        connection = nil
        #expect(keeper.disposals.lines == ["a"])
        #expect(keeper.callbacks.values[0].ended)
    }

    @Test func aHandlersReferencesAreReleasedWhenItOrItsLoopEnds() {
        let callbacks = Record<EffectCallback<String>>()
        let router = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).policy(.concurrent)
            .to { [log] text, callback in
                let token = Witness { log.append("released \(text)") }
                if text == "kept" { callbacks.append(callback) }
                // The disposable retains its own callback, as a request does.
                return AnonymousDisposable { [callback] in _ = (token, callback) }
            }
        let connection = router.connect { _ in }
        connection.accept("kept")
        connection.accept("cyclic")
        callbacks.values[0].end()
        #expect(log.lines == ["released kept"])
        connection.dispose()
        #expect(log.lines == ["released kept", "released cyclic"])
    }

    // MARK: - Several connections

    @Test("59. The connections of a connected router are independent of one another")
    func independentConnections() {
        let keeper = Keeper()
        let router = keeper.router
        let first = router.connect { [log] in log.append("first \($0)") }
        let second = router.connect { [log] in log.append("second \($0)") }
        first.accept("a")
        second.accept("b")
        for callback in keeper.callbacks.values { callback.send("event") }
        #expect(log.lines == ["first event", "second event"])
        first.dispose()
        #expect(keeper.disposals.lines == ["a"])
        for callback in keeper.callbacks.values { callback.send("late") }
        #expect(log.lines == ["first event", "second event", "second late"])
        second.dispose()
    }

    @Test("60. A router whose connection was disposed can be connected again")
    func connectingAgain() {
        let keeper = Keeper()
        keeper.router.connect { _ in }.dispose()
        let connection = keeper.router.connect { [log] in log.append($0) }
        connection.accept("a")
        keeper.callbacks.values[0].end(with: "event")
        #expect(log.lines == ["event"])
    }

    @Test("61. A disposed connection runs no effect, with any kind of route", arguments: 0..<6)
    func acceptingAfterDisposal(kind: Int) {
        let route = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
        let run: @Sendable (String) -> Void = { [log] in log.append($0) }
        let target = AnyConnectable<String, String> { _ in Connection(acceptClosure: run, disposeClosure: {}) }
        let router =
            switch kind {
            case 0: route.to(run)
            case 1: route.toEvent { $0 }
            case 2: route.to { text, _ in AnonymousDisposable { run(text) } }
            case 3: route.to(target)
            case 4: route.policy(.queued).to(run)
            default: route.on(queue: .global()).to(target)
            }
        let connection = router.connect(run)
        connection.dispose()
        connection.accept("a")
        #expect(log.lines == [])
    }

    @Test("62. A disposed connection does not affect another connection of its router")
    func staleConnection() {
        let keeper = Keeper()
        let router = keeper.router
        let stale = router.connect { [log] in log.append("stale \($0)") }
        stale.dispose()
        let live = router.connect { [log] in log.append("live \($0)") }
        live.accept("b")
        stale.accept("a")
        stale.dispose()
        #expect(keeper.callbacks.values.count == 1)
        keeper.callbacks.values[0].send("event")
        #expect(log.lines == ["live event"])
        #expect(keeper.disposals.lines == [])
        live.dispose()
        #expect(keeper.disposals.lines == ["b"])
    }

    // MARK: - Disposing while an effect is being accepted

    @Test func aHandlerThatStartsWhileAnotherThreadEndsTheSessionIsDisposed() {
        let link = Record<Connection<String>>()
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
            .to { [log] text, callback in
                onThreads(1) { _ in link.values[0].dispose() }
                callback.send("late")
                return AnonymousDisposable { log.append("disposed \(text)") }
            }
            .connect { [log] in log.append("event \($0)") }
        link.append(connection)
        connection.accept("a")
        #expect(log.lines == ["disposed a"])
        link.removeAll()
    }

    @Test func aHandlerThatEndsWhileTheSessionEndsIsNotDisposed() {
        let link = Record<Connection<String>>()
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 })
            .to { [log] text, callback in
                link.values[0].dispose()
                callback.end()
                return AnonymousDisposable { log.append("disposed \(text)") }
            }
            .connect { _ in }
        link.append(connection)
        connection.accept("a")
        #expect(log.lines == [])
        link.removeAll()
    }

    @Test func aDisposalOnAnotherThreadIsDeferredUntilTheConnectableReturns() {
        let link = Record<Connection<String>>()
        let target = AnyConnectable<String, String> { [log] _ in
            Connection(
                acceptClosure: { text in
                    onThreads(1) { _ in link.values[0].dispose() }
                    log.append("accepted \(text)")
                },
                disposeClosure: { log.append("disposed") }
            )
        }
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to(target).connect { _ in }
        link.append(connection)
        connection.accept("a")
        connection.accept("b")
        #expect(log.lines == ["accepted a", "disposed"])
        link.removeAll()
    }

    @Test func aConnectableThatDisposesItsLoopIsDisposedAtOnce() {
        let link = Record<Connection<String>>()
        let target = AnyConnectable<String, String> { [log] _ in
            Connection(
                acceptClosure: { text in
                    link.values[0].dispose()
                    log.append("accepted \(text)")
                },
                disposeClosure: { log.append("disposed") }
            )
        }
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to(target).connect { _ in }
        link.append(connection)
        connection.accept("a")
        #expect(log.lines == ["disposed", "accepted a"])
        link.removeAll()
    }

    private final class Strict: ConnectableClass<Int, Int>, @unchecked Sendable {
        // Unchecked: it adds no stored properties.
        override func handle(_ input: Int) { send(input) }
    }

    @Test func aConnectableOnAQueueSendsNothingAfterItsDisposal() {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for _ in 0..<300 {
            let connection = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).on(queue: queue).to(Strict())
                .connect { _ in }
            for number in 0..<10 { connection.accept(number) }
            connection.dispose()
        }
        queue.sync(flags: .barrier) {}
    }

    @Test func disposingDropsEffectsThatWaitForTheirQueue() {
        let queue = DispatchQueue(label: "own")
        let route = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).on(queue: queue)
        let routers = [
            route.to { [log] in log.append($0) },
            route.to { [log] text, _ in AnonymousDisposable { log.append(text) } },
            route.policy(.queued).to { [log] in log.append($0) },
        ]
        for router in routers {
            let connection = router.connect { _ in }
            queue.suspend()
            connection.accept("a")
            connection.dispose()
            queue.resume()
            queue.sync {}
        }
        #expect(log.lines == [])
    }

    // MARK: - Without locks held

    /// A router whose handler starts a worker, and whose disposable stops the worker and waits for its end.
    private static func joining(_ route: EffectRoute<Int, Int, Int>, _ log: Log) -> EffectRouter<Int, Int> {
        route.to { number, callback in
            let (stop, hasStopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                stop.wait()
                callback.send(number)
                callback.end(with: number)
                hasStopped.signal()
            }.start()
            return AnonymousDisposable {
                stop.signal()
                hasStopped.wait()
                log.append("joined \(number)")
            }
        }
    }

    @Test func aDisposableThatJoinsAnEndingWorkerDoesNotDeadlock() {
        let route = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
        let plain = Self.joining(route, log).connect { [log] in log.append("event \($0)") }
        for number in 1...2 { plain.accept(number) }
        plain.dispose()
        #expect(log.lines == ["joined 1", "joined 2"])
    }

    @Test func aDisposableThatJoinsDoesNotDeadlockWhenANewerEffectReplacesIt() {
        let route = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
        let latest = Self.joining(route.policy(.latest), log).connect { [log] in log.append("event \($0)") }
        for number in 1...3 { latest.accept(number) }
        #expect(log.lines == ["joined 1", "joined 2"])
        latest.dispose()
        #expect(log.lines == ["joined 1", "joined 2", "joined 3"])
    }

    // MARK: - Many threads

    @Test func noCallbackOnAnyThreadSendsAnEventAfterTheDisposal() {
        for round in 0..<50 {
            let callbacks = Record<(Int, EffectCallback<Bool>)>()
            let (disposals, late) = (Record<Int>(), Record<Void>())
            let route = EffectRouter<Int, Bool>().routeEffects(withParameters: { $0 })
            let connection = (round.isMultiple(of: 2) ? route : route.policy(.concurrent))
                .to { number, callback in
                    callbacks.append((number, callback))
                    return AnonymousDisposable { disposals.append(number) }
                }
                .connect { if $0 { late.append(()) } }
            for number in 0..<20 { connection.accept(number) }
            let isDisposed = Guarded(false)
            onThreads(8) { thread in
                if thread == 0 {
                    connection.dispose()
                    isDisposed.withLock { $0 = true }
                    return
                }
                for (number, callback) in callbacks.values {
                    let isLate = isDisposed.withLock { $0 }
                    callback.send(isLate)
                    if !number.isMultiple(of: 2) { callback.end(with: isLate) }
                    if isLate != (isLate && callback.ended) { late.append(()) }
                }
                connection.accept(20)
            }
            #expect(late.values.isEmpty)
            // The callbacks of even effects never end, so these are disposed. So is each accepted late effect.
            let even = disposals.values.filter { $0 < 20 && $0.isMultiple(of: 2) }
            #expect(even.sorted() == Array(stride(from: 0, to: 20, by: 2)))
            let odd = disposals.values.filter { !$0.isMultiple(of: 2) }
            #expect(Set(odd).count == odd.count)
            let last = callbacks.values.count { $0.0 == 20 }
            #expect(disposals.values.count { $0 == 20 } == last)
        }
    }

    @Test func noAsynchronousHandlerSendsAnEventAfterTheDisposal() {
        for _ in 0..<200 {
            let (late, isDisposed) = (Record<Void>(), Guarded(false))
            let executor = ManualExecutor()
            let connection = EffectRouter<Int, Bool>(executor: executor).routeEffects(withParameters: { $0 })
                .toEvent { _ async -> Bool? in
                    await Task.yield()
                    return isDisposed.withLock { $0 }
                }
                .connect { if $0 { late.append(()) } }
            onThreads(3) { thread in
                switch thread {
                case 0: for number in 0..<10 { connection.accept(number) }
                case 1: for _ in 0..<20 { executor.drain() }
                default:
                    connection.dispose()
                    isDisposed.withLock { $0 = true }
                }
            }
            executor.drain()
            #expect(late.values.isEmpty)
        }
    }
}
