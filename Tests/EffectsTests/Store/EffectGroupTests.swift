import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Groups of effects, and the environment of effects.
@Suite(.timeLimit(.minutes(10))) struct EffectGroupTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    @Test("52. Unregistering a group ends only its effects, and its name may be registered again")
    func group() {
        let store = world.store(world.logging("permanent "))
        store.register([world.logging("a "), world.logging("b ")], as: "group")
        store.ask(1)
        store.unregister("group")
        store.ask(2)
        store.register([world.logging("c ")], as: "group")
        store.ask(3)
        #expect(
            log.lines == [
                "permanent asked 1", "a asked 1", "b asked 1", "permanent asked 2", "permanent asked 3",
                "c asked 3",
            ])
    }

    private enum Screen { case list, detail }

    @Test("52. Groups run side by side under names of any type, and equal names add up")
    func twoGroups() {
        let store = world.store()
        store.register([world.logging("list ")], as: Screen.list)
        store.register([world.logging("detail ")], as: Screen.detail)
        store.register([world.logging("more ")], as: Screen.list)
        store.unregister("list")
        store.ask(1)
        #expect(log.lines == ["list asked 1", "detail asked 1", "more asked 1"])
        store.unregister(Screen.list)
        store.ask(2)
        #expect(log.lines.count == 4)
        #expect(log.lines.last == "detail asked 2")
    }

    @Test("52. The effects of a group are cancelled in registration order")
    func cancelledInOrder() {
        let store = world.store()
        let effects = (0..<10).map { number in
            Effect(dispatch: false) { [log] actions in
                actions.handleEvents(receiveCancel: { log.append("\(number)") })
            }
        }
        store.register(Array(effects[..<5]), as: "group")
        store.register(Array(effects[5...]), as: "group")
        store.unregister("group")
        #expect(log.lines == (0..<10).map(String.init))
    }

    @Test("52. All effects of a group listen before any of them emits")
    func groupsListenFirst() {
        let store = world.store()
        let greeting = Effect { _ in ActionStream<any Action>.just(Answered(id: 1)) }
        store.register([greeting, world.logging("b ")], as: "group")
        #expect(log.lines == ["b answered 1"])
    }

    @Test("52, 48. A group that an earlier effect unregisters does not receive the current action")
    func unregisteredDuringDelivery() {
        let store = world.store()
        store.register(
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).handleEvents { [weak store] in
                    if $0.id == 2 { store?.unregister("group") }
                }.eraseActionType()
            })
        store.register([world.logging("a ")], as: "group")
        store.ask(1, 2)
        #expect(log.lines == ["a asked 1"])
    }

    @Test("52. A group that is registered and unregistered during one action receives no action")
    func registeredAndUnregisteredDuringDelivery() {
        let (store, logging) = (world.store(), world.logging())
        store.register(
            Effect(dispatch: false) { actions in
                actions.handleEvents { [weak store] _ in
                    store?.register([logging], as: "group")
                    store?.unregister("group")
                }
            })
        store.ask(1, 2)
        #expect(log.lines.isEmpty)
    }

    private struct Name: Hashable, Sendable {
        let id: Int
        let tracked: Tracked

        static func == (left: Name, right: Name) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    @Test("Groups whose effects have ended do not accumulate")
    func endedGroups() {
        let (store, counter) = (world.store(), Tracked.Counter())
        for id in 0..<1_000 {
            store.register([Effect(dispatch: false) { _ in .empty }], as: Name(id: id, tracked: Tracked(counter)))
        }
        #expect(counter.count == 0)
    }

    @Test("A name may use the store while it is hashed, compared and released", arguments: ActiveKey.Use.allCases)
    func activeNames(use: ActiveKey.Use) {
        let store = world.store()
        let other = world.logging("other ")
        store.register(
            [world.logging("a ")],
            as: ActiveKey(1, onFirst: use) { [weak store] in
                store?.register([other], as: ActiveKey(2))
                store?.unregister(ActiveKey(3))
                store?.ask(0)
            })
        store.register([world.logging("b ")], as: ActiveKey(1))
        store.ask(1)
        store.unregister(ActiveKey(1))
        log.removeAll()
        store.ask(2)
        #expect(store.state == ["asked 0", "asked 1", "asked 2"] || store.state == ["asked 1", "asked 0", "asked 2"])
        #expect(log.lines == ["other asked 2"])
        store.unregister(ActiveKey(2))
        store.ask(3)
        #expect(log.lines == ["other asked 2"])
    }

    @Test("53. Effects receive the environment of their store, or the one that provide supplies")
    func environment() {
        let naming = Effect<String>(dispatch: false) { [log] actions, name in
            actions.handleEvents { log.append("\(name): \($0)") }
        }
        let store = Store(reducer: journal, initialState: [], environment: "city", effects: [naming, naming])
        store.register(naming.provide("school"))
        store.ask(1)
        #expect(log.lines == ["city: asked 1", "city: asked 1", "school: asked 1"])
    }
}
