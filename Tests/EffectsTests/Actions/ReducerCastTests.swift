import Effects
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

/// A type, and the results of `on(_:_:)` and of the rule for an action and this type. The rule is `==` of the types, and
/// `as?` between classes.
private struct Kind: Sendable {
    let name: String
    let byReducer: @Sendable (any Action) -> String?
    let byRule: @Sendable (any Action) -> String?

    init<Wanted: Action>(_ type: Wanted.Type) {
        name = "\(type)"
        let reducer: ReducerFn<String?> = on(type) { state, action in state = "\(Wanted.self) \(action)" }
        byReducer = { action in
            var state: String?
            reducer(&state, action)
            return state
        }
        byRule = { action in
            let kind = Swift.type(of: action)
            guard kind == Wanted.self || kind is AnyClass && Wanted.self is AnyClass else { return nil }
            return (action as? Wanted).map { "\(Wanted.self) \($0)" }
        }
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

@Suite("Reducers for the actions of one type", .timeLimit(.minutes(10)))
struct ReducerCastTests {
    @Test("A reducer handles exactly the actions of its type and of the subclasses", arguments: kinds.indices)
    func followsTheRule(index: Int) {
        let kind = kinds[index]
        for action in actions {
            #expect(kind.byReducer(action) == kind.byRule(action), "\(type(of: action)) as \(kind.name)")
        }
    }

    @Test("A reducer for a class handles a subclass, and a reducer for a structure no other type")
    func theMatrixHasSuch() {
        let taken = kinds.map { kind in actions.count { kind.byReducer($0) != nil } }
        #expect(taken[0] == 2)
        #expect(taken[2] == 1)
    }
}

extension Set: Action where Element: Action {}
extension Dictionary: Action where Key == String, Value: Action {}
