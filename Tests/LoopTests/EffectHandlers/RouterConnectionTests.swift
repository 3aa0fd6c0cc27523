import Dispatch
import Foundation
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// The connections of a router, until after their disposal.
@Suite(.timeLimit(.minutes(10))) struct RouterConnectionTests {
    private let log = Log()

    // MARK: - Several connections

    enum Verb: CaseIterable, Sendable { case connect, accept, acceptAndEnd, send, end, dispose }

    /// A verb, and the number of a connection or of an effect, modulo how many there are.
    struct Command: Sendable {
        let verb: Verb
        let number: Int
    }

    struct Model {
        var isOpen: [Bool] = []
        var effects: [(connection: Int, hasEnded: Bool)] = []

        func allows(_ command: Command) -> Bool {
            switch command.verb {
            case .connect: true
            case .accept, .acceptAndEnd, .dispose: !isOpen.isEmpty
            case .send, .end: !effects.isEmpty
            }
        }

        mutating func perform(_ command: Command) -> [String] {
            let connection = command.number % max(1, isOpen.count)
            let effect = command.number % max(1, effects.count)
            switch command.verb {
            case .connect: isOpen.append(true)
            case .accept where isOpen[connection]: effects.append((connection, false))
            case .acceptAndEnd where isOpen[connection]:
                effects.append((connection, true))
                return ["\(connection) sends \(effects.count - 1)"]
            case .send where !effects[effect].hasEnded, .end where !effects[effect].hasEnded:
                effects[effect].hasEnded = command.verb == .end
                return ["\(effects[effect].connection) sends \(effect)"]
            case .dispose:
                isOpen[connection] = false
                let underWay = effects.indices.filter { effects[$0].connection == connection && !effects[$0].hasEnded }
                for effect in underWay { effects[effect].hasEnded = true }
                return underWay.map { "disposed \($0)" }
            default: break
            }
            return []
        }
    }

    /// A router whose handlers keep their callbacks, its connections, and their log.
    final class Stage: Sendable {
        private let log = Log()
        private let callbacks = Record<EffectCallback<Int>>()
        private let connections = Record<Connection<Bool>>()
        private let router: EffectRouter<Bool, Int>

        // A callback retains the handler, which retains the callbacks.
        deinit { callbacks.removeAll() }

        init(policy: Policy?) {
            let route = EffectRouter<Bool, Int>().routeEffects(withParameters: { $0 })
            router = (policy.map(route.policy) ?? route).to { [log, callbacks] endsAtOnce, callback in
                let number = callbacks.values.count
                callbacks.append(callback)
                if endsAtOnce { callback.end(with: number) }
                return AnonymousDisposable { log.append("disposed \(number)") }
            }
        }

        func perform(_ command: Command) -> [String] {
            log.removeAll()
            let (all, callbacks) = (connections.values, callbacks.values)
            let connection = all.isEmpty ? nil : all[command.number % all.count]
            let effect = command.number % max(1, callbacks.count)
            switch command.verb {
            case .connect: connections.append(router.connect { [log] in log.append("\(all.count) sends \($0)") })
            case .accept, .acceptAndEnd: connection?.accept(command.verb == .acceptAndEnd)
            case .send: callbacks[effect].send(effect)
            case .end: callbacks[effect].end(with: effect)
            case .dispose: connection?.dispose()
            }
            return log.lines + ["ended: \(self.callbacks.values.map(\.ended))"]
        }
    }

    /// A closure with a callback sends events, at once and later, and ends (50).
    /// The effects that are under way are disposed once, in order (55, 57), and those that have ended are not (56).
    /// The connections of a router are independent of one another (59), a router can be connected again (60), and a
    /// disposed connection runs no effect and affects no other one (62).
    @Test("50, 55–57, 59, 60, 62. The connections of a router do what their model does", arguments: [false, true])
    func connections(hasPolicy: Bool) async {
        let property = StatefulProperty<Command, Model, Stage, [String]>(
            model: Model(), system: { Stage(policy: hasPolicy ? .concurrent : nil) },
            isPossible: { command, model in model.allows(command) },
            expected: { command, model in model.perform(command) + ["ended: \(model.effects.map(\.hasEnded))"] },
            actual: { command, stage in stage.perform(command) })
        let commands = Gen.zip(Gen.element(of: Verb.allCases), Gen.int(in: 0...20)).map {
            Command(verb: $0, number: $1)
        }
        await forAll(commands: commands, count: 1...30, of: property)
    }

    // MARK: - Disposing

    @Test(
        "55, 58. Disposing or releasing a connection disposes its effects, also those that ignore their callback",
        arguments: [true, false])
    func ending(isDisposed: Bool) {
        let callbacks = Record<EffectCallback<String>>()
        var connection: Connection<String>? = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to {
            [log] text, callback in
            if text == "kept" { callbacks.append(callback) }
            return AnonymousDisposable { log.append(text) }
        }.connect { _ in }
        for effect in ["ignored", "kept"] { connection?.accept(effect) }
        if isDisposed { connection?.dispose() } else { connection = nil }
        #expect(log.lines == ["ignored", "kept"])
        #expect(callbacks.values.map(\.ended) == [true])
    }

    @Test func aHandlersReferencesAreReleasedWhenItOrItsLoopEnds() {
        let callbacks = Record<EffectCallback<String>>()
        let router = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).policy(.concurrent).to {
            [log] text, callback in
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

    // MARK: - Disposing while an effect is being accepted

    @Test(arguments: [false, true])
    func aHandlerThatStartsWhileItsConnectionIsDisposedIsDisposedUnlessItHasEnded(hasEnded: Bool) {
        let link = Record<Connection<String>>()
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to {
            [log] text, callback in
            if hasEnded { link.values[0].dispose() } else { onThreads(1) { _ in link.values[0].dispose() } }
            callback.send("late")
            if hasEnded { callback.end() }
            return AnonymousDisposable { log.append("disposed \(text)") }
        }.connect { [log] in log.append("event \($0)") }
        link.append(connection)
        connection.accept("a")
        #expect(log.lines == (hasEnded ? [] : ["disposed a"]))
        link.removeAll()
    }

    @Test(arguments: [false, true]) func aConnectableThatDisposesItsLoopIsDisposedAtOnceUnlessAnotherThreadDisposes(
        isOtherThread: Bool
    ) {
        let link = Record<Connection<String>>()
        let target = AnyConnectable<String, String> { [log] _ in
            Connection(
                acceptClosure: { text in
                    if isOtherThread {
                        onThreads(1) { _ in link.values[0].dispose() }
                    } else {
                        link.values[0].dispose()
                    }
                    log.append("accepted \(text)")
                }, disposeClosure: { log.append("disposed") })
        }
        let connection = EffectRouter<String, String>().routeEffects(withParameters: { $0 }).to(target).connect { _ in }
        link.append(connection)
        connection.accept("a")
        connection.accept("b")
        #expect(log.lines == (isOtherThread ? ["accepted a", "disposed"] : ["disposed", "accepted a"]))
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

    // MARK: - Without locks held

    @Test(arguments: [false, true])
    func aDisposableThatJoinsAnEndingWorkerDoesNotDeadlockAlsoWhenANewerEffectReplacesIt(isLatest: Bool) {
        let route = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
        let connection = (isLatest ? route.policy(.latest) : route).to { [log] number, callback in
            let worker = worker {
                callback.send(number)
                callback.end(with: number)
            }
            return AnonymousDisposable {
                worker.dispose()
                log.append("joined \(number)")
            }
        }.connect { [log] in log.append("event \($0)") }
        for number in 1...3 { connection.accept(number) }
        #expect(log.lines == (isLatest ? ["joined 1", "joined 2"] : []))
        connection.dispose()
        #expect(log.lines == ["joined 1", "joined 2", "joined 3"])
    }

    // MARK: - Many threads

    @Test func noCallbackOnAnyThreadSendsAnEventAfterTheDisposal() {
        for round in 0..<50 {
            let callbacks = Record<(Int, EffectCallback<Bool>)>()
            let (disposals, late) = (Record<Int>(), Record<Void>())
            let route = EffectRouter<Int, Bool>().routeEffects(withParameters: { $0 })
            let connection = (round.isMultiple(of: 2) ? route : route.policy(.concurrent)).to { number, callback in
                callbacks.append((number, callback))
                return AnonymousDisposable { disposals.append(number) }
            }.connect { if $0 { late.append(()) } }
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
            let connection = EffectRouter<Int, Bool>(executor: executor).routeEffects(withParameters: { $0 }).toEvent {
                _ async -> Bool? in
                await Task.yield()
                return isDisposed.withLock { $0 }
            }.connect { if $0 { late.append(()) } }
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
