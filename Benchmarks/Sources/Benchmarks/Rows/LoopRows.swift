import Loop

private let section = "Loop"

var loopRows: [Row] {
    [
        Row(section, "event without effects", peer: "Mobius 1,565 / 2,761", isCounted: true) {
            let none = dispatching("no observer", observers: 0)
            return [
                .time("no observer", none, Baseline.lock()),
                .time("1 observer", dispatching("1 observer", observers: 1), none),
                .time("100 observers", dispatching("100 observers", observers: 100), none),
            ]
        },
        Row(section, "routed effect", peer: "Mobius 45,134", isCounted: true) {
            let one = routing("1 route", routes: 1)
            return [
                .time("1 route, against an event", one, dispatching("no effect", observers: 0)),
                .time("64 routes, against one", routing("64 routes", routes: 64), one),
            ]
        },
        Row(section, "observers, added and disposed, each") {
            let loop = opaque(bareBuilder.start(from: 0))
            func observers(_ count: Int) -> Subject {
                cancelling(count, { loop.addObserver { use($0) } }, { $0.dispose() })
            }
            return [.time("4,000 against 500", observers(4_000), observers(500))]
        },
        Row(section, "100,000-element model, one element set, with a logger", peer: "Mobius 52,588") {
            let logged = modelElements(100_000, logger: Events())
            return [
                .time("against 10 elements", logged, modelElements(10, logger: Events())),
                .time("against no logger", logged, modelElements(100_000)),
            ]
        },
        Row(section, "toEvent chain, each", peer: "Mobius 10,870", isCounted: true) {
            let byCase = EffectRouter<Many, Int>().routeCase(Many.c0).toEvent { $0 }
            let lock = Baseline.lock()
            let byParameters = EffectRouter<Many, Int>().routeEffects(withParameters: number).toEvent { $0 }
            return [
                .time("1,000, a case", chain(of: 1_000, byCase), lock),
                .time("1,000, parameters", chain(of: 1_000, byParameters), lock),
                .time("1,000,000, a case", chain(of: 1_000_000, byCase), lock),
            ]
        },
        Row(section, "one Next with 100,000 effects, per effect", peer: "Mobius 10,873") {
            [.time("", effects(100_000), effects(1_000))]
        },
        Row(section, "controller event", peer: "Mobius 11,280") {
            let lock = Baseline.lock()
            return [
                .time("1 thread", controlled(threads: 1).onOneCore, lock),
                .time("4 threads", controlled(threads: 4).onOneCore, lock),
            ]
        },
    ]
}

// MARK: - Raw loops

private let bareHandler = AnyConnectable<Many, Int> { _ in
    Connection(acceptClosure: { use($0) }, disposeClosure: {})
}

let bareBuilder = Mobius.loop(
    update: { (count: Int, added: Int) -> Next<Int, Many> in .next(count &+ added) },
    effectHandler: bareHandler
)

func dispatching(_ name: String, observers: Int) -> Subject {
    let loop = opaque(bareBuilder.start(from: 0))
    let seen = Tally()
    for _ in 0..<observers { loop.addObserver { _ in seen.count &+= 1 } }
    return Subject(name, expecting: [499_500, 1_000 * observers]) {
        let before = [loop.latestModel, seen.count]
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
        return [loop.latestModel &- before[0], seen.count &- before[1]]
    }
}

private func router(_ routes: Int, _ seen: Tally) -> EffectRouter<Many, Int> {
    Many.constructors.prefix(routes).reduce(EffectRouter()) { router, constructor in
        router.routeCase(constructor).to { _ in seen.count &+= 1 }
    }
}

func routing(_ name: String, routes: Int) -> Subject {
    let seen = Tally()
    let loop = opaque(
        Mobius.loop(
            update: { (count: Int, added: Int) -> Next<Int, Many> in .dispatchEffects([.c0(added)]) },
            effectHandler: router(routes, seen)
        ).start(from: 0))
    return Subject(name, expecting: 1_000) {
        let before = seen.count
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
        return seen.count &- before
    }
}

func effects(_ count: Int) -> Subject {
    let seen = Tally()
    let effects = (0..<count).map { Many.c0($0) }
    let loop = opaque(
        Mobius.loop(
            update: { (model: Int, _: Int) -> Next<Int, Many> in .dispatchEffects(effects) },
            effectHandler: router(1, seen)
        ).start(from: 0))
    return Subject("\(count) effects", operations: count, expecting: count) {
        let before = seen.count
        loop.dispatchEvent(0)
        return seen.count &- before
    }
}

func number(_ effect: Many) -> Int? {
    if case .c0(let number) = effect { number } else { nil }
}

/// A loop that answers each of its effects with an event, `count` times.
func chain(of count: Int, _ router: EffectRouter<Many, Int>) -> Subject {
    let loop = Mobius.loop(
        update: { (events: Int, _: Int) -> Next<Int, Many> in
            .next(events + 1, effects: (events + 1) % count == 0 ? [] : [.c0(events)])
        },
        effectHandler: router
    ).start(from: 0)
    return Subject("chain", operations: count) { loop.dispatchEvent(0) }.checked { loop.latestModel % count == 0 }
}

// MARK: - A large model

/// A logger of events, which does not use the model as it was before.
struct Events: MobiusLogger {
    func didUpdate(event: Int, next: Next<[Int], Never>) { use(event) }
    var usesPreviousModel: Bool { false }
}

func modelElements(_ count: Int, logger: Events? = nil) -> Subject {
    let builder = Mobius.loop(
        update: Update<[Int], Int, Never>(inPlace: { elements, index in
            elements[index] &+= 1
            return []
        }), effectHandler: AnyConnectable<Never, Int> { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) })
    let loop = opaque((logger.map { builder.withLogger($0) } ?? builder).start(from: [Int](repeating: 0, count: count)))
    return Subject("\(count) elements", expecting: 1_000 / min(10, count)) {
        let before = loop.latestModel[0]
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index) % min(10, count)) }
        return loop.latestModel[0] &- before
    }
}

// MARK: - Controllers

/// A controller whose event source sends from threads.
private func controlled(threads: Int) -> Threads {
    let source = Source()
    let controller = Mobius.beginnerLoop { (count: Int, added: Int) in count + added }
        .withEventSource(source)
        .makeController(from: 0)
    controller.start()
    // Settling is after the commit of the last event: an update that counts runs before its commit.
    return Threads(threads, sends: 400_000 / threads) {
        source.consumer(1)
    } total: {
        try? await controller.settled()
        return controller.model
    }
}

private final class Source: EventSource, @unchecked Sendable {
    // Unchecked: set when the controller starts, before anything is sent.
    var consumer: Consumer<Int> = { _ in }

    func subscribe(consumer: @escaping Consumer<Int>) -> any Disposable {
        self.consumer = consumer
        return EmptyDisposable()
    }
}
