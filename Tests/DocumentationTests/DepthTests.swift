import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing

private struct Number: Action {
    var number = 1
}

private struct Ask: Action {}

/// Descriptions of the depth that the article "Limits" promises, on a stack of 512 KiB.
@Suite("Depth", .timeLimit(.minutes(10)))
struct DepthTests {
    /// Something that is nested `depth` times. Passed a 1, it yields a 1.
    struct Nesting: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (_ depth: Int) -> Int

        init(_ name: String, _ run: @escaping @Sendable (_ depth: Int) -> Int) {
            self.name = name
            self.run = run
        }

        var testDescription: String { name }
    }

    private static let depth = 50

    @Test func middlewaresUseTheDocumentedStack() async {
        #expect(await onSmallStack { Self.countAfterMiddleware(150) } == 1)
    }

    @Test(arguments: dispatchers + updates + streams + stores + optics + schedules)
    func nestedDescriptionsUseTheDocumentedStack(_ nesting: Nesting) async {
        #expect(await onSmallStack { nesting.run(Self.depth) } == 1)
    }

    private static func nested<Whole>(_ part: Whole, _ depth: Int, _ nest: (Whole) -> Whole) -> Whole {
        (0..<depth).reduce(part) { whole, _ in nest(whole) }
    }

    // MARK: - Dispatchers

    private typealias Adding = StateDispatcher<Void, Int, Int>

    private static let adding = Adding.pure { number in .update { $0 += number } }

    private static func dispatcher(_ name: String, _ nest: @escaping @Sendable (Adding) -> Adding) -> Nesting {
        Nesting(name) { depth in
            let component = Component(initialState: 0, environment: (), dispatcher: nested(adding, depth, nest))
            component.send(1)
            return component.state
        }
    }

    private static let dispatchers = [
        dispatcher("widen of the state") { $0.widen(transformState: \Int.self) },
        dispatcher("widen of the environment") { $0.widen(transformEnvironment: { $0 }) },
        dispatcher("widen of the input") {
            $0.widen(transformState: lens, transformInput: Prism<Int, Int>.identity)
        },
        dispatcher("policy") { $0.policy(.queued) },
        dispatcher("onChange") { $0.onChange(of: \Int.self) { _, _ in .update { _ in } } },
        dispatcher("combine") { child in .combine { child } },
        Nesting("components in a line") { depth in
            let components = (0..<depth).map { _ in
                Component(initialState: 0, environment: (), dispatcher: adding)
            }
            for (component, next) in zip(components, components.dropFirst()) {
                component.observe { state in if state > 0 { next.send(state) } }
            }
            components[0].send(1)
            return components[depth - 1].state
        },
    ]

    // MARK: - Loops

    private static let updates = [
        Nesting("widen of an update") { depth in
            let adding = Update<Int, Int, Int> { model, event in .next(model + event) }
            let update = nested(adding, depth) { $0.widen(model: lens, event: Prism.identity, effect: { $0 }) }
            return update.update(model: 0, event: 1).model ?? 0
        },
        Nesting("widen of an update in place") { depth in
            let adding = Update<Int, Int, Int>(inPlace: { model, event in
                model += event
                return []
            })
            let update = nested(adding, depth) { $0.widen(model: lens, event: Prism.identity, effect: { $0 }) }
            let router = EffectRouter<Int, Int>().routeEffects { $0 }.to { _ in }
            let loop = Mobius.loop(update: update, effectHandler: router).start(from: 0)
            loop.dispatchEvent(1)
            return loop.latestModel
        },
        Nesting("combine of updates") { depth in
            let adding = Update<Int, Int, Int> { model, event in .next(model + event) }
            return nested(adding, depth) { .combine($0) }.update(model: 0, event: 1).model ?? 0
        },
        Nesting("routers in routers") { depth in
            let router = EffectRouter<Int, Int>().routeEffects { $0 }.toEvent { $0 }
            return event(of: nested(router, depth) { inner in EffectRouter<Int, Int>().routeEffects { $0 }.to(inner) })
        },
        Nesting("map and contramap of connectables") { depth in
            let router = EffectRouter<Int, Int>().routeEffects { $0 }.toEvent { $0 }.asConnectable
            return event(of: nested(router, depth) { $0.map { $0 }.contramap { (effect: Int) in effect } })
        },
    ]

    private static func event(of handler: some Connectable<Int, Int>) -> Int {
        let events = Record<Int>()
        let connection = handler.connect { events.append($0) }
        connection.accept(1)
        connection.dispose()
        return events.values.reduce(0, +)
    }

    // MARK: - Streams

    private typealias Stream = ActionStream<Int>

    private static func stream(_ name: String, _ nest: @escaping @Sendable (Stream) -> Stream) -> Nesting {
        Nesting(name) { depth in
            let log = Record<Int>()
            let stream = nested(Stream.just(1), depth, nest)
            let effect = Effect<Void>(dispatch: false) { actions in
                actions.ofType(Number.self).flatMap { _ in stream }.map { value -> any Action in
                    log.append(value)
                    return Number()
                }
            }
            Store(reducer: { _, _ in }, initialState: 0, effects: [effect]).dispatch(action: Number())
            return log.values.reduce(0, +)
        }
    }

    private static let streams = [
        stream("map") { $0.map { $0 } },
        stream("merge") { $0.merge(with: .empty) },
        stream("append") { $0.append(.empty) },
        stream("catch") { $0.catch { _ in .empty } },
        stream("combineLatest") { $0.combineLatest(.just(1)).map { $0.0 } },
        stream("flatMap") { $0.flatMap { Stream.just($0) } },
        stream("flatMap under a policy") { $0.flatMap(.queued) { Stream.just($0) } },
        stream("flatMap in flatMap") { inner in Stream.just(1).flatMap { _ in inner } },
    ]

    // MARK: - Stores

    private static let counting: ReducerFn<Int> = on(Number.self) { (count: inout Int, action: Number) in
        count += action.number
    }

    private static let stores = [
        Nesting("forKey") { count(after: nested(counting, $0) { forKey(\Int.self, use: $0) }) },
        Nesting("combineReducers") { count(after: nested(counting, $0) { combineReducers($0) }) },
        Nesting("contramap of an effect") { depth in
            let effect = Effect<Int> { actions, number in
                actions.ofType(Ask.self).map { _ in Number(number: number) }.eraseActionType()
            }
            let store = Store(
                reducer: counting, initialState: 0, environment: 1,
                effects: [nested(effect, depth) { $0.contramap { $0 } }])
            store.dispatch(action: Ask())
            return store.state
        },
        Nesting("map of a selection") { depth in
            let (store, seen) = (Store(reducer: counting, initialState: 0), Record<Int>())
            let registration = nested(store.select { $0 }, depth) { $0.map { $0 } }.observe { seen.append($0) }
            store.dispatch(action: Number())
            return withExtendedLifetime(registration) { seen.values.reduce(0, +) }
        },
    ]

    private static func countAfterMiddleware(_ depth: Int) -> Int {
        count(after: counting, Array(repeating: Middleware { action, _, next in next(action) }, count: depth))
    }

    private static func count(after reducer: @escaping ReducerFn<Int>, _ middleware: [Middleware<Int>] = []) -> Int {
        let store = Store(reducer: reducer, initialState: 0, middleware: middleware)
        store.dispatch(action: Number())
        return store.state
    }

    // MARK: - Optics and schedules

    private static let lens = Lens<Int, Int>(get: { $0 }, set: { $1 })

    private static let optics = [
        Nesting("lenses") { nested(lens, $0) { $0.appending(lens) }.modifying(0) { $0 += 1 } },
        Nesting("prisms") { depth in
            let prism = Prism<Int, Int>(embed: { $0 }, extract: { $0 })
            return nested(prism, depth) { $0.appending(prism) }.modifying(0) { $0 += 1 }
        },
        Nesting("traversals") {
            nested(Traversal<Int, Int>.identity, $0) { $0.appending(lens) }.modifying(0) { $0 += 1 }
        },
        Nesting("folds") { nested(Fold<Int, Int>.identity, $0) { $0.appending(lens) }.count(0) },
        Nesting("focus") { nested(State<Int, Void>.update { $0 += 1 }, $0) { $0.focus(lens) }.exec(0) },
    ]

    private static let schedules = [
        Nesting("andThen") { depth in
            nested(Schedule<Int>.recurs(1), depth) { $0.andThen(.recurs(0)) }.delays(for: 1...3).count
        },
        Nesting("&&") { nested(Schedule<Int>.recurs(1), $0) { $0 && .forever }.delays(for: 1...3).count },
        Nesting("||") { nested(Schedule<Int>.recurs(1), $0) { $0 || .recurs(0) }.delays(for: 1...3).count },
        Nesting("capped") { nested(Schedule<Int>.recurs(1), $0) { $0.capped(at: .zero) }.delays(for: 1...3).count },
    ]
}
