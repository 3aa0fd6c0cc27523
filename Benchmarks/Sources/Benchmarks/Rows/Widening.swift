import Dispatcher
import Optics

struct Level<Inner: Sendable>: Sendable {
    var inner: Inner
    var other = 0
}

enum LevelInput<Inner: Sendable>: AutoPrism, Sendable {
    case inner(Inner)
    case other(Int)
}

private typealias Level4<S: Sendable> = Level<Level<Level<Level<S>>>>
private typealias LevelInput4<Input: Sendable> = LevelInput<LevelInput<LevelInput<LevelInput<Input>>>>

/// How a child becomes a part of its parent.
protocol Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>>
}

enum CasePrism: Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>> {
        child.widen(
            transformState: \Level<S>.inner, transformInput: LevelInput<Input>.prism(for: LevelInput<Input>.inner))
    }
}

enum ClosurePrism: Widening {
    static func widen<S, Input>(
        _ child: StateDispatcher<Any, S, Input>
    ) -> StateDispatcher<Any, Level<S>, LevelInput<Input>> {
        child.widen(transformState: \Level<S>.inner, transformInput: closurePrism())
    }
}

enum Closures: Widening {
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

private func inner<S>(_ state: Level4<S>) -> S {
    state.inner.inner.inner.inner
}

/// What each further `widen` of a component's dispatcher adds to a `send`.
func widening(_ name: String, _ how: (some Widening).Type) -> [Line] {
    let (dispatcher, input, state) = (how.widen(counter), LevelInput.inner(CounterInput.add(1)), Level(inner: 0))
    let one = sending("1 level", dispatcher, input, state) { $0.inner }
    let five = sending("5 levels", four(how, dispatcher), four(input), four(state)) { inner($0).inner }
    let nine = sending("9 levels", four(how, four(how, dispatcher)), four(four(input)), four(four(state))) {
        inner(inner($0)).inner
    }
    let alloc = Quantity(Baseline.alloc())
    let deeper = "as many instructions a level at any depth, but more time the deeper it is"
    let (near, far) = (Quantity.each(of: 4, in: five, over: one), Quantity.each(of: 4, in: nine, over: five))
    return [
        .time("\(name), 1 to 5 levels", near, alloc),
        .time("\(name), 5 to 9 levels", far, alloc).pending(goal: 4, deeper),
        .time("\(name), 5 to 9 levels against 1 to 5", far, near).pending(goal: 1.3, deeper),
    ]
}

private func sending<S: Sendable, Input: Sendable>(
    _ name: String, _ dispatcher: StateDispatcher<Any, S, Input>, _ input: Input, _ state: S,
    _ count: @escaping (S) -> Int
) -> Subject {
    let component = opaque(Component(initialState: state, environment: (), dispatcher: dispatcher))
    return Subject(name, expecting: 1_000) {
        let before = count(component.state)
        var input = input
        for _ in 0..<1_000 {
            change(&input)
            component.send(input)
        }
        return count(component.state) &- before
    }
}
