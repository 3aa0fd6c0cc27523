import Effects
import FunctionalCore
import TestSupport
import Testing

/// Which effects receive an action, in which order and at what cost, once the store knows the action's type.
@Suite(.timeLimit(.minutes(10)))
struct EffectOrderTests {
    private final class Held: Action {
        let witness: Witness

        init(_ witness: Witness) {
            self.witness = witness
        }
    }

    private let world = QuestionWorld()
    private var log: Log { world.log }

    private static let actions: [any Action] = [
        Asked(id: 1), Answered(id: 2), Base(), Derived(), Asked?.some(Asked(id: 3)), Asked?.none, [Derived()],
    ]

    /// Effects for every kind of type. Each effect logs its name and the types of its actions.
    private func effects() -> [Effect<Void>] {
        func effect(
            _ name: String, _ stream: (ActionStream<any Action>) -> ActionStream<any Action>
        ) -> Effect<Void> {
            Effect(dispatch: false) { actions in
                stream(actions).handleEvents { [log] in log.append("\(name): \(type(of: $0))") }
            }
        }
        return [
            effect("all") { $0 },
            effect("struct") { $0.ofType(Asked.self).eraseActionType() },
            effect("base") { $0.ofType(Base.self).eraseActionType() },
            effect("derived") { $0.ofType(Derived.self).eraseActionType() },
            effect("optional") { $0.ofType(Asked?.self).eraseActionType() },
            effect("optional object") { $0.ofType(Base?.self).eraseActionType() },
            effect("array") { $0.ofType([Base].self).eraseActionType() },
            effect("several") { $0.ofTypes(Answered.self, Derived.self, [Derived].self) },
            effect("several with optionals") { $0.ofTypes(Asked?.self, Answered.self) },
            effect("merged") { $0.ofTypes(Asked.self).merge(with: $0.ofTypes(Base.self, Asked.self)) },
            effect("flattened") { $0.ofType(Asked.self).flatMap { .just($0) } },
        ]
    }

    private func deliveries(_ register: (Store<[String]>, Effect<Void>) -> Void) -> [String] {
        let store = world.store()
        for effect in effects() + effects() { register(store, effect) }
        let before = log.lines.count
        for action in Self.actions { store.dispatch(action: action) }
        return Array(log.lines.dropFirst(before))
    }

    @Test("An effect receives the actions of its types, even if the store knows these types already")
    func knownTypes() {
        let unknown = deliveries { store, effect in store.register(effect) }
        let known = deliveries { store, effect in
            for action in Self.actions { store.dispatch(action: action) }
            store.register(effect)
        }
        #expect(known == unknown)
        #expect(unknown.filter { $0 == "base: Derived" }.count == 2)
        #expect(unknown.filter { $0 == "optional: Optional<Asked>" }.count == 4)
    }

    private func logging(_ name: String) -> Effect<Void> {
        Effect(dispatch: false) { actions in
            actions.ofType(Answered.self).handleEvents { [log] _ in log.append(name) }.eraseActionType()
        }
    }

    /// An effect that begins to listen to answers when it receives a question.
    private func listeningLater(_ name: String) -> Effect<Void> {
        Effect(dispatch: false) { actions in
            actions.ofType(Asked.self).flatMap { asked in
                actions.ofType(Answered.self).handleEvents { [log] _ in log.append("\(name) \(asked.id)") }
                    .eraseActionType()
            }
        }
    }

    @Test("A late inner stream receives an action before effects that are registered after its own effect")
    func innerStreams() {
        let store = world.store(logging("first"), listeningLater("second"), logging("third"), listeningLater("fourth"))
        store.dispatch(action: Answered(id: 0))
        #expect(log.lines == ["first", "third"])
        store.ask(1)
        store.dispatch(action: Answered(id: 0))
        #expect(log.lines.dropFirst(2) == ["first", "second 1", "third", "fourth 1"])
        store.register(logging("fifth"))
        store.ask(2)
        store.dispatch(action: Answered(id: 0))
        #expect(
            log.lines.dropFirst(6) == ["first", "second 1", "second 2", "third", "fourth 1", "fourth 2", "fifth"])
    }

    @Test(
        "The order within an effect does not depend on whether the store knows the type already",
        arguments: [false, true])
    func orderWithinAnEffect(isKnown: Bool) {
        let store = world.store(
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).flatMap { _ in
                    actions.ofType(Answered.self).handleEvents { [log] _ in log.append("inner") }.eraseActionType()
                }
                .merge(with: actions.ofTypes(Answered.self).handleEvents { [log] _ in log.append("outer") })
            })
        if isKnown { store.dispatch(action: Answered(id: 0)) }
        store.ask(1)
        let before = log.lines.count
        store.dispatch(action: Answered(id: 0))
        #expect(log.lines.dropFirst(before) == ["inner", "outer"])
    }

    @Test("An effect that restarts keeps its place in the order")
    func restarts() {
        let restarting = Effect(onFailure: .restart(atMost: 1, after: .forever)) { actions in
            actions.ofTypes(Answered.self, Failed.self).handleEvents { [log] _ in log.append("restarting") }
                .flatMap { action -> ActionStream<any Action> in
                    action is Failed ? .fail(Unanswerable()) : .empty
                }
        }
        let store = world.store(logging("first"), restarting, logging("third"))
        store.onError { _ in }
        store.dispatch(Answered(id: 0), Failed(id: 0), Answered(id: 0))
        let once = ["first", "restarting", "third"]
        #expect(log.lines == once + ["restarting"] + once)
    }

    @Test("A store that knows the type of an action does not retain the action")
    func actionsAreReleased() {
        let released = Log()
        let store = world.store(logging(""))
        store.dispatch(action: Held(Witness { released.append("released") }))
        store.register(Effect(dispatch: false) { $0.ofType(Held.self).eraseActionType() })
        #expect(released.lines == ["released"])
    }

    /// An effect whose inner streams listen to an answer, and then end.
    private let awaitingAnswers = Effect(dispatch: false) { actions in
        actions.ofType(Asked.self).flatMap { _ in actions.ofType(Answered.self).first().eraseActionType() }
    }

    private func askAndAnswer(_ store: Store<[String]>, times count: Int) {
        for id in 0..<count {
            store.ask(id)
            store.dispatch(action: Answered(id: id))
        }
    }

    private let other = Effect(dispatch: false) { $0.ofType(Failed.self).eraseActionType() }

    private func registerAndCancel(_ effect: Effect<Void>, in store: Store<[String]>) {
        for _ in 0..<100 {
            let registration = store.register(effect)
            store.dispatch(action: Answered(id: 0))
            registration.cancel()
        }
    }

    @Test(
        "Registering an effect, dispatching and ending it is O(1) in the number of other effects", .countsSteps,
        arguments: [false, true])
    func registeringIsConstant(isTypeOfTheOthers: Bool) {
        func cost(of count: Int) -> Int {
            let store = world.store()
            for _ in 0..<count { store.register(other) }
            let effect = isTypeOfTheOthers ? other : logging("")
            store.dispatch(action: Failed(id: 0))
            return steps { registerAndCancel(effect, in: store) }
        }
        #expect(growth(from: 10, to: 500, cost) < 0.2)
    }

    @Test("Starting an inner stream is O(1) in the number of later effects", .countsSteps)
    func innerStreamsAreConstant() {
        func cost(of count: Int) -> Int {
            let store = world.store(awaitingAnswers)
            for _ in 0..<count { store.register(other) }
            store.dispatch(Asked(id: 0), Answered(id: 0), Failed(id: 0))
            return steps { askAndAnswer(store, times: 100) }
        }
        #expect(growth(from: 10, to: 500, cost) < 0.2)
    }

    @Test("Inner streams that have ended do not slow down actions that are matched by value", .countsSteps)
    func endedInnerStreams() {
        let exponent = growth(from: 10, to: 500) { count in
            let store = world.store(awaitingAnswers)
            askAndAnswer(store, times: count)
            return steps {
                for _ in 0..<20 { store.dispatch(action: [Answered(id: 0)]) }
            }
        }
        #expect(exponent < 0.2)
    }

    @Test("An effect does not keep inner streams that have ended", .countsSteps)
    func endedInnerStreamsAreRemoved() {
        // An effect that is cancelled cancels everything that it keeps.
        let exponent = growth(from: 10, to: 500) { count in
            let store = world.store()
            let effects = (0..<5).map { _ in store.register(awaitingAnswers) }
            askAndAnswer(store, times: count)
            return steps {
                for effect in effects { effect.cancel() }
            }
        }
        #expect(exponent < 0.2)
    }

    @Test("Effects that have ended do not slow down the actions that they listened to", .countsSteps)
    func endedEffects() {
        let store = world.store()
        for _ in 0..<12_000 { store.register(other) }
        func cost() -> Int { steps { registerAndCancel(logging(""), in: store) } }
        let first = least(cost)
        for _ in 0..<50 { _ = cost() }
        #expect(least(cost) < first * 2)
    }
}
