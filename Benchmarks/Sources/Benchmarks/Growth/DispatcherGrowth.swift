import Dispatcher
import FunctionalCore
import Optics

let dispatcherGrowth = Group(
    name: "Component",
    series: [
        Series("children by case prism", per: "send, one matches") { combined($0, Many.casePrisms) },
        Series("children by closure prism", per: "send, one matches") { combined($0, Many.closurePrisms) },
        Series("depth of widen", per: "send") { widened($0) },
        Series("observers", per: "send, all are notified") { count in
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
            for _ in 0..<count { component.observe { use($0) } }
            return sends(count, component, .add(1))
        },
        Series("observers of a part", per: "send, no part changes") { count in
            let component = makeParts()
            for _ in 0..<count { component.observe(\.part) { use($0) } }
            return sends(count, component, .other)
        },
        Series("scoped observers", per: "send, no part changes") { count in
            let component = makeParts()
            for _ in 0..<count { component.scope(state: \.part) { (input: PartInput) in input }.observe { use($0) } }
            return sends(count, component, .other)
        },
        Series("observers to cancel", per: "observer, registered and cancelled") { count in
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
            return cancelling(count, { component.observe { use($0) } }, { $0.cancel() })
        },
        Series("subscriptions", per: "send, all go on") { count in
            let endless = (0..<count).map { id in
                Subscription<Any, CounterInput>.run(id: id) { _, _ in
                    for await _ in AsyncStream<Void>(unfolding: { nil }) {}
                }
            }
            let component = opaque(
                Component<Int, CounterInput>(
                    initialState: 0, environment: () as Any, dispatcher: counter, subscriptions: { _ in endless }))
            return sends(count, component, .add(1))
        },
        Series("elements of the state, one set", per: "send") { componentElements($0) },
        Series("sends in a chain", per: "send") { count in
            let component = Component(initialState: 0, environment: (), dispatcher: counter)
            component.observe { [weak component] total in
                if total % count != 0 { component?.send(.add(1)) }
            }
            let calls = max(1, 1_000 / count)
            return Subject("\(count)", operations: count * calls) {
                for _ in 0..<calls { component.send(.add(1)) }
            }
        },
    ])

private func sends<S, Input>(_ count: Int, _ component: Component<S, Input>, _ input: Input) -> Subject {
    let calls = max(1, 1_000 / count)
    return Subject("\(count)", operations: calls) {
        for _ in 0..<calls { component.send(input) }
    }
}

/// One dispatcher is of the case that is sent; the others are spread over the other cases.
private func combined(_ count: Int, _ prisms: [Prism<Many, Int>]) -> Subject {
    let others = (1..<count).map { child(prisms[1 + $0 % 127]) }
    let dispatcher = StateDispatcher<Any, Int, Many>.combineAll([child(prisms[0])] + others)
    return sends(count, opaque(Component(initialState: 0, environment: (), dispatcher: dispatcher)), .c0(1))
}

// MARK: - Depth

/// A state and an input of any depth, of one type.
private struct Nest: Sendable {
    var value = 0
    var inner: [Nest] = []
}

private indirect enum NestInput: AutoPrism, Sendable {
    case inner(NestInput)
    case leaf(Int)
}

private func widened(_ depth: Int) -> Subject {
    typealias Nested = StateDispatcher<Any, Nest, NestInput>
    let leaf = StateDispatcher<Any, Nest, Int>.pure { number in .update { $0.value &+= number } }
        .widen(transformInput: NestInput.prism(for: NestInput.leaf))
    let lens = Lens<Nest, Nest>(get: { $0.inner[0] }, modify: { nest, change in change(&nest.inner[0]) })
    let prism = NestInput.prism(for: NestInput.inner)
    let dispatcher = (0..<depth).reduce(leaf) { child, _ in
        child.widen(transformState: lens, transformInput: prism) as Nested
    }
    let state = (0..<depth).reduce(Nest()) { inner, _ in Nest(inner: [inner]) }
    let input = (0..<depth).reduce(NestInput.leaf(1)) { inner, _ in .inner(inner) }
    return sends(depth, opaque(Component(initialState: state, environment: (), dispatcher: dispatcher)), input)
}
