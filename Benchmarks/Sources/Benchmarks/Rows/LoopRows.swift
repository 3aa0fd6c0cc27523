import Foundation
import Loop

private let section = "Loop"

var loopRows: [Row] {
    [
        Row(section, "raw loop, event without effects", original: "866 / 1,685") {
            let lock = Baseline.lock()
            return [
                .time("no observer", dispatching("no observer", observers: 0), lock, atMost: 3),
                .time("10 observers", dispatching("10 observers", observers: 10), lock, atMost: 6),
            ]
        },
        Row(section, "routed effect", original: "3,527 / 11,967") {
            let one = routing("1 route", routes: 1)
            return [
                .time("1 route", one, Baseline.lock(), atMost: 8),
                .time("64 routes", routing("64 routes", routes: 64), one, atMost: 1.3),
            ]
        },
        Row(section, "toEvent chain of 1,000,000, each", original: "3,695") {
            let byCase = Chain(EffectRouter().routeCase(Hundred.c0).toEvent { $0 })
            let byParameters = Chain(EffectRouter().routeEffects(withParameters: number).toEvent { $0 })
            return [
                .time("a case", byCase.subject, Baseline.lock(), atMost: 10).exact { byCase.isExact },
                .time("parameters", byParameters.subject, Baseline.lock(), atMost: 10).exact { byParameters.isExact },
            ]
        },
        Row(section, "one Next with 100,000 effects, per effect", original: "7,377") {
            [.time("", effects(100_000), effects(1_000), atMost: 1.3)]
        },
        Row(section, "controller event", original: "1,342 / 1,326") {
            let lock = Baseline.lock()
            let (one, four) = (Controlled(threads: 1), Controlled(threads: 4))
            return [
                .time("1 thread", one.subject, lock, atMost: 8).exact { one.isExact },
                .time("4 threads", four.subject, lock, atMost: 8).exact { four.isExact },
            ]
        },
        Row(section, "create + dispose a bare loop", original: "1,952") {
            let builder = opaque(bareBuilder)
            let work = Subject("create + dispose", operations: 100) {
                for _ in 0..<100 { builder.start(from: opaque(1)).dispose() }
            }
            return [.time("", work, Baseline.alloc(), atMost: 30)]
        },
        Row(section, "memory of an idle loop", original: "1,386 B / 5,194 B") {
            [
                .bytes("bare", of: "bare loops", over: "no loops", count: 100_000, atMost: 500),
                .bytes("4 routes", of: "loops of 4 routes", over: "no loops", count: 100_000, atMost: 900),
            ]
        },
    ]
}

// MARK: - Raw loops

private let bareHandler = AnyConnectable<Hundred, Int> { _ in
    Connection(acceptClosure: { use($0) }, disposeClosure: {})
}

private let bareBuilder = Mobius.loop(
    update: { (count: Int, added: Int) -> Next<Int, Hundred> in .next(count &+ added) },
    effectHandler: bareHandler
)

private func dispatching(_ name: String, observers: Int) -> Subject {
    let loop = opaque(bareBuilder.start(from: 0))
    for _ in 0..<observers { loop.addObserver { use($0) } }
    return Subject(name) {
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
    }
}

private func router(_ routes: Int) -> EffectRouter<Hundred, Int> {
    Hundred.constructors.prefix(routes).reduce(EffectRouter()) { router, constructor in
        router.routeCase(constructor).to { use($0) }
    }
}

private func routing(_ name: String, routes: Int) -> Subject {
    let loop = opaque(
        Mobius.loop(
            update: { (count: Int, added: Int) -> Next<Int, Hundred> in .dispatchEffects([.c0(added)]) },
            effectHandler: router(routes)
        ).start(from: 0))
    return Subject(name) {
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
    }
}

private func effects(_ count: Int) -> Subject {
    let effects = (0..<count).map { Hundred.c0($0) }
    let loop = opaque(
        Mobius.loop(
            update: { (model: Int, _: Int) -> Next<Int, Hundred> in .dispatchEffects(effects) },
            effectHandler: router(1)
        ).start(from: 0))
    return Subject("\(count) effects", operations: count) { loop.dispatchEvent(0) }
}

private func number(_ effect: Hundred) -> Int? {
    if case .c0(let number) = effect { number } else { nil }
}

/// A loop that answers each of its effects with an event, a million times.
private struct Chain {
    private let loop: MobiusLoop<Int, Int, Hundred>

    init(_ router: EffectRouter<Hundred, Int>) {
        loop = Mobius.loop(
            update: { (count: Int, _: Int) -> Next<Int, Hundred> in
                .next(count + 1, effects: (count + 1) % 1_000_000 == 0 ? [] : [.c0(count)])
            },
            effectHandler: router
        ).start(from: 0)
    }

    var isExact: Bool { loop.latestModel % 1_000_000 == 0 }

    var subject: Subject {
        Subject("chain", operations: 1_000_000) { loop.dispatchEvent(0) }
    }
}

// MARK: - Memory

private final class Held: @unchecked Sendable {
    // Unchecked: the process does nothing else.
    var loops: [MobiusLoop<Int, Int, Hundred>] = []
}

private let held = Held()

/// Keeps loops for as long as the process lives. They are made by one builder, as those of an app's screens are.
func hold(_ count: Int, routes: Int) {
    let builder =
        routes == 0
        ? bareBuilder
        : Mobius.loop(
            update: { (count: Int, added: Int) -> Next<Int, Hundred> in .next(count &+ added) },
            effectHandler: router(routes))
    held.loops.reserveCapacity(100_000)
    for _ in 0..<count { held.loops.append(builder.start(from: 0)) }
}

// MARK: - Controllers

/// A controller whose event source sends from threads, and whether the model counted every event.
private final class Controlled: @unchecked Sendable {
    // Unchecked: set before the threads start, or after all have ended.
    private let threads: Int
    private let events = 400_000
    private let done = DispatchSemaphore(value: 0)
    private let controller: MobiusController<Int, Int, Never>
    private let source = Source()
    private(set) var isExact = true

    final class Source: EventSource, @unchecked Sendable {
        // Unchecked: set by the start, before anybody sends.
        var consumer: Consumer<Int> = { _ in }

        func subscribe(consumer: @escaping Consumer<Int>) -> any Disposable {
            self.consumer = consumer
            return EmptyDisposable()
        }
    }

    init(threads: Int) {
        self.threads = threads
        let (done, events) = (done, events)
        controller = Mobius.beginnerLoop { (count: Int, added: Int) in
            if (count + added) % events == 0 { done.signal() }
            return count + added
        }
        .withEventSource(source)
        .makeController(from: 0)
        controller.start()
    }

    var subject: Subject {
        Subject(waiting: "\(threads) thread\(threads == 1 ? "" : "s")", operations: events) { [self] in
            for _ in 0..<threads {
                Thread { [source, events, threads] in
                    for _ in 0..<(events / threads) { source.consumer(1) }
                }.start()
            }
            wait()
            if controller.model % events != 0 { isExact = false }
        }
    }

    private func wait() {
        done.wait()
    }
}
