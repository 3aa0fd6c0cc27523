import Dispatcher
import FunctionalCore
import Optics

private let section = "Dispatcher"

var dispatcherRows: [Row] {
    [
        Row(section, "pure: on + run the action", original: "7,473") {
            [.time("", dispatching("on", counter, .add(1), 0), Baseline.alloc(), atMost: 5)]
        },
        Row(section, "each further widen", original: "7,900") {
            widening(CasePrism.self, "case prism") + widening(ClosurePrism.self, "closure prism")
                + widening(Closures.self, "closure prism and closure lens")
        },
        Row(section, "combine of 100, one matches", original: "113,712") {
            let one = dispatching("one", child(Hundred.casePrisms[50]), .c50(1), 0)
            let oneByClosure = dispatching("one", child(Hundred.closurePrisms[50]), .c50(1), 0)
            return [
                .time("case prisms", combined("case prisms", Hundred.casePrisms), one, atMost: 2),
                .time("closure prisms", combined("closures", Hundred.closurePrisms), oneByClosure, atMost: nil),
            ]
        },
        Row(section, "start", original: "2,013") {
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
                    Subject("1 step") { for index in 0..<1_000 { use(one.start(opaque(index))) } },
                    Baseline.alloc(), atMost: 1
                ),
                .time(
                    "8 steps",
                    Subject("8 steps") {
                        for index in 0..<1_000 { use(eight.start(Shop(price: opaque(index), limit: 1_000))) }
                    },
                    Subject("runSync") {
                        for index in 0..<1_000 { use(try? eight.runSync(Shop(price: opaque(index), limit: 1_000))) }
                    },
                    atMost: 1.2
                ),
                .time(
                    "one that waits",
                    Subject(waiting: "waits", operations: 100) {
                        for index in 0..<100 {
                            if case .waiting(let running) = waits.start(opaque(index)) { use(await running.outcome) }
                        }
                    },
                    Subject(waiting: "Task", operations: 100) {
                        for index in 0..<100 { use(await Task { try? await waits.run(opaque(index)) }.value) }
                    },
                    atMost: 1.5
                ),
            ]
        },
    ]
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

/// Asks for the actions of an input, and runs them as whoever has no component would.
private func dispatching<S, Input>(
    _ name: String, _ dispatcher: StateDispatcher<Any, S, Input>, _ input: Input, _ state: S
) -> Subject {
    let dispatcher = opaque(dispatcher)
    return Subject(name) {
        var state = state
        var input = input
        for _ in 0..<1_000 {
            change(&input)
            for action in dispatcher.on(input) { try? action.runSync(()).run(&state) }
            change(&state)
        }
    }
}

// MARK: - Combining

private func child(_ prism: Prism<Hundred, Int>) -> StateDispatcher<Any, Int, Hundred> {
    StateDispatcher<Any, Int, Int>.pure { number in .update { $0 &+= number } }.widen(transformInput: prism)
}

private func combined(_ name: String, _ prisms: [Prism<Hundred, Int>]) -> Subject {
    dispatching(name, .combineAll(prisms.map(child)), .c50(1), 0)
}

// MARK: - Widening

private struct Level<Inner: Sendable>: Sendable {
    var inner: Inner
    var other = 0
}

private enum LevelInput<Inner: Sendable>: AutoPrism, Sendable {
    case inner(Inner)
    case other(Int)
}

private typealias Level4<S: Sendable> = Level<Level<Level<Level<S>>>>
private typealias LevelInput4<Input: Sendable> = LevelInput<LevelInput<LevelInput<LevelInput<Input>>>>

/// How a child becomes a part of its parent.
private protocol Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>>
}

private enum CasePrism: Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>> {
        child.widen(
            transformState: \Level<S>.inner, transformInput: LevelInput<Input>.prism(for: LevelInput<Input>.inner))
    }
}

private enum ClosurePrism: Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>> {
        child.widen(transformState: \Level<S>.inner, transformInput: closurePrism())
    }
}

private enum Closures: Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>> {
        child.widen(
            transformState: Lens<Level<S>, S>(get: { $0.inner }, modify: { whole, change in change(&whole.inner) }),
            transformInput: closurePrism()
        )
    }
}

private func closurePrism<Input>() -> Prism<LevelInput<Input>, Input> {
    Prism(LevelInput.inner) { if case .inner(let input) = $0 { input } else { nil } }
}

private func four<S, Input>(
    _ how: (some Widening).Type, _ child: StateDispatcher<Any, S, Input>
) -> StateDispatcher<Any, Level4<S>, LevelInput4<Input>> {
    how.widen(how.widen(how.widen(how.widen(child))))
}

private func four<Input>(_ input: Input) -> LevelInput4<Input> {
    .inner(.inner(.inner(.inner(input))))
}

private func four<S>(_ state: S) -> Level4<S> {
    Level(inner: Level(inner: Level(inner: Level(inner: state))))
}

private func widening(_ how: (some Widening).Type, _ name: String) -> [Line] {
    let alloc = Baseline.alloc()
    let (dispatcher, input, state) = (how.widen(counter), LevelInput.inner(CounterInput.add(1)), Level(inner: 0))
    let one = dispatching("1 level", dispatcher, input, state)
    let five = dispatching("5 levels", four(how, dispatcher), four(input), four(state))
    let nine = dispatching("9 levels", four(how, four(how, dispatcher)), four(four(input)), four(four(state)))
    return [
        .time("\(name), 1 to 5 levels", .each(of: 4, in: five, over: one), Quantity(alloc), atMost: 3),
        .time("\(name), 5 to 9 levels", .each(of: 4, in: nine, over: five), Quantity(alloc), atMost: 3),
    ]
}
