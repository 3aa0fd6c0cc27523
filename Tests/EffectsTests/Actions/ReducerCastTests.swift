import Effects
import Synchronization
import TestSupport
import Testing

private struct Plain: Action, Hashable { var number = 1 }
private struct Other: Action, Hashable { var number = 1 }
private struct Empty: Action {}
private enum Choice: Action {
    case one
    case two(Int)
}
private struct Box<Value: Sendable>: Action { var value: Value }

/// A type, and the results of `on(_:_:)` and of `as?` for an action and this type.
private struct Kind: Sendable {
    let name: String
    let byReducer: @Sendable (any Action) -> String?
    let byCast: @Sendable (any Action) -> String?

    init<Wanted: Action>(_ type: Wanted.Type) {
        name = "\(type)"
        let reducer: ReducerFn<String?> = on(type) { state, action in state = "\(Wanted.self) \(action)" }
        byReducer = { action in
            var state: String?
            reducer(&state, action)
            return state
        }
        byCast = { action in (action as? Wanted).map { "\(Wanted.self) \($0)" } }
    }
}

private let kinds = [
    Kind(Base.self), Kind(Derived.self), Kind(Plain.self), Kind(Other.self), Kind(Empty.self), Kind(Choice.self),
    Kind(Box<Int>.self), Kind(Box<String>.self), Kind(Plain?.self), Kind(Plain??.self), Kind(Base?.self),
    Kind(Derived?.self), Kind([Plain].self), Kind([Base].self), Kind([Derived].self), Kind([Plain?].self),
    Kind(Set<Plain>.self), Kind([String: Plain].self), Kind([String: Base].self), Kind([String: Derived].self),
]

private let actions: [any Action] = [
    Base(), Derived(), Plain(), Other(), Empty(), Choice.one, Choice.two(2), Box(value: 1), Box(value: "1"),
    Plain?.some(Plain()), Plain?.none, Plain??.some(.some(Plain())), Plain??.some(.none), Plain??.none,
    Base?.some(Base()), Base?.some(Derived()), Derived?.some(Derived()), Derived?.none,
    [Plain](), [Plain()], [Base()], [Derived() as Base], [Base(), Derived()], [Derived()], [Plain?.none],
    [Plain?.some(Plain())], Set([Plain()]), Set<Plain>(), ["a": Plain()], ["a": Base()], ["a": Derived() as Base],
    ["a": Derived()], [Empty()], [Other()],
]

private struct Numbered<Before>: Action {}

/// Calls `body` with an action and a reducer for each of `count` types.
private func eachType<Before>(
    _ count: Int, after _: Before.Type, _ body: (any Action, @escaping ReducerFn<Int>) -> Void
) {
    if count == 0 { return }
    body(Numbered<Before>(), on(Numbered<Before>.self) { count, _ in count += 1 })
    eachType(count - 1, after: Numbered<Before>.self, body)
}

@Suite("Reducers for the actions of one type", .timeLimit(.minutes(10)))
struct ReducerCastTests {
    @Test("A reducer for a type handles exactly the actions that as? casts to that type", arguments: kinds.indices)
    func equalsTheCast(index: Int) {
        let kind = kinds[index]
        // Twice, because the reducer learns a type with the first action of that type.
        for action in actions + actions.reversed() {
            #expect(kind.byReducer(action) == kind.byCast(action), "\(type(of: action)) as \(kind.name)")
        }
    }

    @Test("Some casts between different types succeed")
    func theMatrixHasSuch() {
        let taken = kinds.map { kind in actions.count { kind.byReducer($0) != nil } }
        #expect(taken[0] == 5)
        #expect(taken[2] == 3)
    }

    @Test("Reducers distinguish more types than they remember at once")
    func manyTypes() {
        var actions: [any Action] = []
        var reducers: [ReducerFn<Int>] = []
        eachType(700, after: Never.self) { action, reducer in
            actions.append(action)
            reducers.append(reducer)
        }
        for _ in 0..<2 {
            for action in actions {
                var count = 0
                for reduce in reducers { reduce(&count, action) }
                #expect(count == 1)
            }
        }
    }

    @Test("Reducers distinguish types that several threads learn at once")
    func threads() {
        let wrong = Atomic(0)
        onThreads(4) { _ in
            eachType(100, after: Empty.self) { action, reducer in
                var (mine, other) = (0, 0)
                for _ in 0..<20 {
                    reducer(&mine, action)
                    reducer(&other, Plain())
                }
                if (mine, other) != (20, 0) { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}

extension Set: Action where Element: Action {}
extension Dictionary: Action where Key == String, Value: Action {}
