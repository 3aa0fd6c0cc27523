import Effects
import Foundation
import Optics
import TestSupport
import Testing

/// Listening to actions by their type, or by the case of an enum.
@Suite(.timeLimit(.minutes(10))) struct ActionTypeTests {
    private protocol Loud: Action {
        var volume: Int { get }
    }

    private struct Shout: Loud { let volume: Int }
    private struct Whisper: Action {}

    private enum Player: Action, AutoPrism {
        case play(String)
        case seek(to: Int)
        case stop
    }

    private let log = Log()

    private func store(
        _ stream: (ActionStream<any Action>) -> ActionStream<any Action>
    ) -> Store<[String]> {
        Store(reducer: journal, initialState: [], effects: [Effect(dispatch: false, stream)])
    }

    @Test("34. ofType passes on the actions of one type and drops all others")
    func oneType() {
        let store = store { [log] actions in
            actions.ofType(Asked.self).handleEvents { log.append("\($0.id)") }.eraseActionType()
        }
        store.ask(1)
        store.dispatch(action: Answered(id: 2))
        store.dispatch(action: Failed(id: 3))
        store.ask(4)
        #expect(log.lines == ["1", "4"])
    }

    @Test("34. ofType also selects actions by type after another operator")
    func afterOperators() {
        let store = store { [log] actions in
            actions.filter { !($0 is Failed) }.ofType(Asked.self)
                .handleEvents { log.append("\($0.id)") }.eraseActionType()
        }
        store.ask(1)
        store.dispatch(action: Answered(id: 2))
        #expect(log.lines == ["1"])
    }

    @Test("35. ofTypes passes on each action of its types in order, and only once")
    func someTypes() {
        let store = store { [log] actions in
            actions.ofTypes(Asked.self, Base.self, Derived.self).handleEvents { action in
                log.append((action as? Base)?.name ?? "\(action)")
            }
        }
        store.dispatch(Asked(id: 1), Answered(id: 2), Derived(), Base(), Asked(id: 3))
        #expect(log.lines == ["asked 1", "derived", "base", "asked 3"])
    }

    private struct Numbered<Number>: Action {}
    private struct Next<Number> {}
    private typealias Zero = Int8
    private typealias One = Next<Zero>
    private typealias Two = Next<One>
    private typealias Three = Next<Two>
    private typealias Four = Next<Three>
    private typealias Five = Next<Four>

    private static func of<Number>(_: Number.Type) -> Numbered<Number>.Type { Numbered<Number>.self }

    @Test("36. ofTypes takes 6, 8 or 20 types")
    func manyTypes() {
        let logs = [Log(), Log(), Log()]
        func effect(
            _ index: Int, _ types: (ActionStream<any Action>) -> ActionStream<any Action>
        ) -> Effect<Void> {
            Effect(dispatch: false) { actions in types(actions).handleEvents { logs[index].append("\(type(of: $0))") } }
        }
        let (zero, one, two) = (Self.of(Zero.self), Self.of(One.self), Self.of(Two.self))
        let (three, four, five) = (Self.of(Three.self), Self.of(Four.self), Self.of(Five.self))
        let six = Self.of(Next<Five>.self)
        let effects = [
            effect(0) { $0.ofTypes(zero, one, two, three, four, five) },
            effect(1) { $0.ofTypes(zero, one, two, three, four, five, six, Asked.self) },
            effect(2) {
                $0.ofTypes(
                    zero, one, two, three, four, five, six, Self.of(Next<Next<Five>>.self), Self.of(Int.self),
                    Self.of(Int16.self), Self.of(Int32.self), Self.of(Int64.self), Self.of(UInt.self),
                    Self.of(UInt8.self), Self.of(UInt16.self), Self.of(UInt32.self), Self.of(UInt64.self),
                    Self.of(Float.self), Answered.self, Asked.self)
            },
        ]
        let store = Store(reducer: journal, initialState: [], effects: effects)
        let actions: [any Action] = [
            Numbered<Zero>(), Numbered<Five>(), Numbered<Next<Five>>(), Asked(id: 1), Numbered<Float>(),
            Answered(id: 2), Failed(id: 3), Numbered<Double>(),
        ]
        for action in actions { store.dispatch(action: action) }
        let names = actions.map { "\(type(of: $0))" }
        #expect(logs[0].lines == Array(names[0...1]))
        #expect(logs[1].lines == Array(names[0...3]))
        #expect(logs[2].lines == Array(names[0...5]))
    }

    @Test("37. ofType passes on instances of subclasses, but not of base classes")
    func subclasses() {
        let store = store { [log] actions in
            actions.ofType(Base.self).handleEvents { log.append("base: \($0.name)") }.eraseActionType()
                .merge(
                    with: actions.ofType(Derived.self)
                        .handleEvents { log.append("derived: \($0.name)") }.eraseActionType())
        }
        store.dispatch(action: Base())
        store.dispatch(action: Derived())
        #expect(log.lines == ["base: base", "base: derived", "derived: derived"])
    }

    @Test func compactMapFindsTheActionsThatKeepAProtocol() {
        let store = store { [log] actions in
            actions.compactMap { $0 as? any Loud }.handleEvents { log.append("\($0.volume)") }.map { $0 }
        }
        store.dispatch(action: Shout(volume: 11))
        store.dispatch(action: Whisper())
        #expect(log.lines == ["11"])
    }

    @Test func ofCaseDeliversTheAssociatedValueOfOneCase() {
        let store = store { [log] actions in
            actions.ofCase(Player.prism(for: Player.play)).handleEvents { log.append("play \($0)") }
                .map { _ in Whisper() as any Action }
                .merge(
                    with: actions.ofCase(Player.prism(for: Player.seek)).handleEvents {
                        log.append("seek \($0)")
                    }
                    .map { _ in Whisper() }
                )
                .merge(
                    with: actions.ofCase(Player.prism(for: Player.stop)).handleEvents { log.append("stop") }
                        .map { _ in Whisper() })
        }
        for action in [Player.play("a"), .stop, .seek(to: 3)] { store.dispatch(action: action) }
        store.dispatch(action: Whisper())
        #expect(log.lines == ["play a", "stop", "seek 3"])
    }

    @Test("34. ofType passes on no optional, array or bridged value of its type", arguments: [false, true])
    func castsByValue(areKnown: Bool) {
        let store = store { _ in .empty }
        let actions: [any Action] = [Asked?.some(Asked(id: 1)), [Derived()], UUID(), NSUUID()]
        if areKnown { for action in actions { store.dispatch(action: action) } }
        store.register(
            Effect(dispatch: false) { [log] actions in
                actions.ofTypes(Asked.self, [Base].self, NSUUID.self).handleEvents { log.append("\(type(of: $0))") }
            })
        store.dispatch(Asked(id: 1), [Base()])
        for action in actions { store.dispatch(action: action) }
        #expect(log.lines == ["Asked", "Array<Base>", "\(type(of: actions[3]))"])
    }
}

extension UUID: Action {}
extension NSUUID: Action {}
extension Optional: Action where Wrapped: Action {}
extension Array: Action where Element: Action {}
