import FunctionalArchitecture
import TestSupport
import Testing

private protocol Filled: Sendable { init() }

/// 128 bytes.
private struct Words: Filled {
    var first = (0, 0, 0, 0, 0, 0, 0, 0)
    var second = (0, 0, 0, 0, 0, 0, 0, 0)
}

private struct Twice<Half: Filled>: Filled {
    var first = Half()
    var second = Half()
}

private struct Thrice<Third: Filled>: Filled {
    var first = Third()
    var others = Twice<Third>()
}

private typealias KiB1 = Twice<Twice<Twice<Words>>>
private typealias KiB16 = Twice<Twice<Twice<Twice<KiB1>>>>
private typealias KiB64 = Twice<Twice<KiB16>>

/// A state of a bit more than the size of `Rest`, all of which is stored inline.
private struct Large<Rest: Filled>: Filled, Equatable {
    var count = 0
    var child: Int? = 0
    var rest = Rest()

    static func == (left: Large, right: Large) -> Bool { left.count == right.count }
}

private typealias State16 = Large<KiB16>
private typealias State32 = Large<Twice<KiB16>>
private typealias State64 = Large<KiB64>
private typealias State128 = Large<Twice<KiB64>>
private typealias State192 = Large<Thrice<KiB64>>
private typealias State256 = Large<Twice<Twice<KiB64>>>

/// A state with a large part that may be absent.
private struct Parent<Part: Filled>: Filled {
    var count = 0
    var part: Part? = Part()
}

private struct Add: Action {}

@inline(never)
private func incremented(_ state: UnsafeMutablePointer<State256>) -> Int {
    state.pointee.count += 1
    return state.pointee.count
}

/// States that are stored inline, of the sizes that the article "Limits" promises for a stack of 512 KiB.
@Suite("Large states", .timeLimit(.minutes(10)))
struct LargeStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Creates the function to measure, which returns 1.
        let prepare: @Sendable () -> () -> Int

        init(_ name: String, _ prepare: @escaping @Sendable () -> () -> Int) {
            self.name = name
            self.prepare = prepare
        }

        var testDescription: String { name }
    }

    @Test(arguments: components + loops + stores)
    func aStateOfTheDocumentedSizeFits(_ row: Row) async {
        let use = await stackUse(preparedBy: row.prepare)
        #expect(use.result == 1)
        #expect(use.bytes <= 512 << 10, "\(use.bytes >> 10) KiB")
    }

    @Test func theMeasurementFindsACopy() async {
        let use = await stackUse {
            let states = [State256()]
            return {
                var copy = states[0]
                return withUnsafeMutablePointer(to: &copy) { incremented($0) }
            }
        }
        #expect(use.result == 1)
        #expect(use.bytes > 256 << 10)
    }

    // MARK: - Components

    private static func makeComponent<Rest>(
        _ dispatcher: StateDispatcher<Void, Large<Rest>, Int> = .pure { number in .update { $0.count += number } }
    ) -> Component<Large<Rest>, Int> {
        Component(initialState: Large(), environment: (), dispatcher: dispatcher)
    }

    private static func adding<State>(
        in path: any WritableKeyPath<State, Int> & Sendable
    ) -> StateDispatcher<Void, State, Int> {
        adding.widen(transformState: Lens(path), transformInput: Prism<Int, Int>.identity)
    }

    private static let adding = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    private static let components = [
        Row("component, 256 KiB") {
            let component: Component<State256, Int> = makeComponent()
            return {
                component.send(1)
                return component.state.count
            }
        },
        Row("component with an observer, 256 KiB") {
            let (component, counts): (Component<State256, Int>, _) = (makeComponent(), Record<Int>())
            return {
                component.observe { counts.append($0.count) }
                component.send(1)
                return counts.values[1]
            }
        },
        Row("component with an optional child, 256 KiB") {
            let child = adding.widen(
                transformState: Lens(\State256.child).some(), transformInput: Prism<Int, Int>.identity)
            let component = makeComponent(child)
            return {
                component.send(1)
                return component.state.child ?? 0
            }
        },
        Row("component with onChange, 256 KiB") {
            let dispatcher = StateDispatcher<Void, State256, Int>.pure { number in .update { $0.count += number } }
            let component = makeComponent(dispatcher.onChange(of: \.count) { _, _ in .update { $0.child = 1 } })
            return {
                component.send(1)
                return component.state.child ?? 0
            }
        },
        Row("scope of a component, 128 KiB") {
            let (component, counts): (Component<State128, Int>, _) = (makeComponent(), Record<Int>())
            return {
                let scope = component.scope(state: \.count, input: { (input: Int) in input })
                scope.observe { counts.append($0) }
                scope.send(1)
                return scope.state * counts.values[1]
            }
        },
        Row("scope of an optional child, 64 KiB") {
            let component = makeComponent(
                adding.widen(transformState: Lens(\State64.child).some(), transformInput: Prism<Int, Int>.identity))
            return {
                let scope = component.scope(part: Lens(\State64.child).some(), input: { (input: Int) in input })
                scope?.send(1)
                return scope?.state ?? 0
            }
        },
        Row("creating a component, 32 KiB") {
            let states = [State32()]
            return {
                let component = Component(initialState: states[0], environment: (), dispatcher: adding(in: \.count))
                component.send(1)
                return component.scope(state: \.count, input: { (input: Int) in input }).state
            }
        },
        Row("onChange of a part, 32 KiB") {
            let dispatcher = StateDispatcher<Void, Parent<State32>, Int>.pure { _ in .update { $0.part?.count += 1 } }
            let component = Component(
                initialState: Parent(), environment: (),
                dispatcher: dispatcher.onChange(of: \.part) { _, _ in .update { $0.count += 1 } })
            return {
                component.send(1)
                return component.state.count
            }
        },
        Row("scope of an optional part, 16 KiB") {
            let dispatcher = StateDispatcher<Void, Parent<State16>, Int>.pure { _ in .update { $0.part?.count += 1 } }
            let component = Component(initialState: Parent(), environment: (), dispatcher: dispatcher)
            return {
                let scope = component.scope(part: Lens(\Parent<State16>.part).some(), input: { (input: Int) in input })
                scope?.observe { _ in }
                scope?.send(1)
                return scope?.state.count ?? 0
            }
        },
    ]

    // MARK: - Loops

    private static func makeBuilder<Rest>(
        _ update: Update<Large<Rest>, Int, Int>
    ) -> Mobius.Builder<Large<Rest>, Int, Int> {
        Mobius.loop(update: update, effectHandler: EffectRouter<Int, Int>().routeEffects { $0 }.to { _ in })
    }

    private static func inPlace<Rest>() -> Update<Large<Rest>, Int, Int> {
        Update(inPlace: { model, event in
            model.count += event
            return []
        })
    }

    private static let loops = [
        Row("loop, 192 KiB") {
            let loop = makeBuilder(inPlace()).start(from: State192())
            return {
                loop.dispatchEvent(1)
                return loop.latestModel.count
            }
        },
        Row("loop with an observer, 192 KiB") {
            let (loop, counts) = (makeBuilder(inPlace()).start(from: State192()), Record<Int>())
            return {
                loop.addObserver { counts.append($0.count) }
                loop.dispatchEvent(1)
                return counts.values[1]
            }
        },
        Row("loop whose update returns a model, 32 KiB") {
            let update = Update<State32, Int, Int> { model, event in
                var model = model
                model.count += event
                return .next(model)
            }
            let loop = makeBuilder(update).start(from: State32())
            return {
                loop.dispatchEvent(1)
                return loop.latestModel.count
            }
        },
        Row("starting a loop, 32 KiB") {
            let (builder, models) = (makeBuilder(inPlace() as Update<State32, Int, Int>), [State32()])
            return { builder.start(from: models[0]).latestModel.count + 1 }
        },
    ]

    // MARK: - Stores

    private static func counting<Rest>() -> ReducerFn<Large<Rest>> {
        { state, action in if action is Add { state.count += 1 } }
    }

    private static let stores = [
        Row("store, 256 KiB") {
            let store = Store(reducer: counting(), initialState: State256())
            return {
                store.dispatch(action: Add())
                return store.state.count
            }
        },
        Row("store with an observer, 256 KiB") {
            let (store, counts) = (Store(reducer: counting(), initialState: State256()), Record<Int>())
            return {
                store.observe { counts.append($0.count) }
                store.dispatch(action: Add())
                return counts.values[1]
            }
        },
        Row("store with middleware, 256 KiB") {
            let counts = Record<Int>()
            let middleware = Middleware<State256> { action, store, next in
                next(action)
                counts.append(store.state.count)
            }
            let store = Store(reducer: counting(), initialState: State256(), middleware: [middleware])
            return {
                store.dispatch(action: Add())
                return counts.values[0]
            }
        },
        Row("store with an interceptor, 128 KiB") {
            let (store, counts) = (Store(reducer: counting(), initialState: State128()), Record<Int>())
            store.intercept { _, old, new in counts.append(new.count - old.count) }
            return {
                store.dispatch(action: Add())
                return counts.values[0]
            }
        },
        Row("selection of a store, 128 KiB") {
            let (store, counts) = (Store(reducer: counting(), initialState: State128()), Record<Int>())
            return {
                let selection = store.select { $0.count }
                let registration = selection.observe { counts.append($0) }
                store.dispatch(action: Add())
                return withExtendedLifetime(registration) { selection.value * counts.values[1] }
            }
        },
        Row("scope of an optional part of a store, 64 KiB") {
            let store = Store(reducer: counting(), initialState: State64())
            return {
                let scope = store.scope(part: Lens(\State64.child).some())
                store.dispatch(action: Add())
                return (scope?.value ?? 0) + 1
            }
        },
        Row("creating a store, 32 KiB") {
            let states = [State32()]
            return {
                let store = Store(reducer: counting(), initialState: states[0])
                store.dispatch(action: Add())
                return store.state.count
            }
        },
    ]
}
