import Dispatcher
import FunctionalCore
import Optics

private let section = "Dispatcher"

var dispatcherRows: [Row] {
    [
        Row(section, "pure: on + run the action", peer: "Bow Arch 22,077", isCounted: true) {
            [.time("", dispatching("on", counter, .add(1)), Baseline.alloc())]
        },
        Row(section, "each further widen, through send", peer: "Bow Arch ~30,000", isCounted: true) {
            widening("case prism", CasePrism.self) + widening("closure prism", ClosurePrism.self)
                + widening("closures", Closures.self)
        },
        Row(section, "combine of 100, one matches", peer: "Bow Arch 267,823", isCounted: true) {
            let one = dispatching("one", child(Many.casePrisms[50]), .c50(1))
            let oneByClosure = dispatching("one", child(Many.closurePrisms[50]), .c50(1))
            return [
                .time("case prisms", combined("case prisms", Many.casePrisms), one),
                .time("closure prisms", combined("closures", Many.closurePrisms), oneByClosure),
            ]
        },
        Row(section, "building a combine and asking it once, a child", isCounted: true) {
            let hundred = building("combineAll of 100", 100) { .combineAll($0) }
            return [
                .time("combineAll of 100", hundred, Baseline.alloc()),
                .time("combineAll of 5,000", building("combineAll of 5,000", 5_000) { .combineAll($0) }, hundred),
                .time(
                    "combine { for … } of 100",
                    building("block of 100", 100) { children in
                        .combine { for child in children { child } }
                    }, Baseline.alloc()),
            ]
        },
        Row(section, "start") {
            let one = opaque(EnvIO<Int, any Error, Int> { $0 &+ 1 })
            let eight = opaque(eightSteps)
            let waits = opaque(
                EnvIO<Int, any Error, Int>.ask().map { $0 &+ 1 }.flatMap { number in
                    EnvIO { (_: Int) async in await next(number) }
                }
            )
            return [
                .time(
                    "1 step",
                    Subject("1 step", expecting: 1_000 as Int?) {
                        for index in 0..<999 { use(one.start(opaque(index))) }
                        return value(of: one.start(opaque(999)))
                    },
                    Baseline.alloc()
                ),
                .time(
                    "8 steps",
                    // The last price, 999, answers 2.
                    Subject("8 steps", expecting: 2 as Int?) {
                        for index in 0..<999 { use(eight.start(Shop(price: opaque(index), limit: 1_000))) }
                        return value(of: eight.start(Shop(price: opaque(999), limit: 1_000)))
                    },
                    Subject("runSync", expecting: 2) {
                        for index in 0..<999 { use(try eight.runSync(Shop(price: opaque(index), limit: 1_000))) }
                        return try eight.runSync(Shop(price: opaque(999), limit: 1_000))
                    }
                ),
                .time(
                    "one that waits",
                    Subject(waiting: "waits", operations: 100) {
                        for index in 0..<100 {
                            if case .waiting(let task) = waits.start(opaque(index)) { use(await task.value) }
                        }
                    },
                    Subject(waiting: "Task", operations: 100) {
                        for index in 0..<100 { use(await Task { try? await waits.run(opaque(index)) }.value) }
                    }
                ),
            ]
        },
    ]
}

private func value(of started: Started<Int, any Error>) -> Int? {
    if case .finished(.value(let value)) = started { value } else { nil }
}

enum CounterInput: Sendable {
    case add(Int)
}

typealias CounterDispatcher = StateDispatcher<Any, Int, CounterInput>

let counter = CounterDispatcher.pure { input in
    switch input {
    case .add(let number): .update { $0 &+= number }
    }
}

/// Returns the actions of an input and runs them, without a component.
private func dispatching<Input>(
    _ name: String, _ dispatcher: StateDispatcher<Any, Int, Input>, _ input: Input
) -> Subject {
    let dispatcher = opaque(dispatcher)
    // Each of these inputs adds 1.
    return Subject(name, expecting: 1_000) {
        var state = 0
        var input = input
        for _ in 0..<1_000 {
            change(&input)
            for action in dispatcher.on(input) { try action.runSync(()).run(&state) }
            change(&state)
        }
        return state
    }
}

// MARK: - Combining

func child(_ prism: Prism<Many, Int>) -> StateDispatcher<Any, Int, Many> {
    StateDispatcher<Any, Int, Int>.pure { number in .update { $0 &+= number } }.widen(transformInput: prism)
}

/// Each of the cases has as many children as the others, or one more.
private func building(
    _ name: String, _ count: Int,
    _ combine: @escaping ([StateDispatcher<Any, Int, Many>]) -> StateDispatcher<Any, Int, Many>
) -> Subject {
    let children = opaque((0..<count).map { child(Many.casePrisms[$0 % 128]) })
    return Subject(name, operations: count, expecting: (count + 127 - 50) / 128) {
        combine(children).on(.c50(1)).count
    }
}

private func combined(_ name: String, _ prisms: [Prism<Many, Int>]) -> Subject {
    dispatching(name, .combineAll(prisms.prefix(100).map(child)), .c50(1))
}
