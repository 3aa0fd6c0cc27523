import Dispatcher
import Effects
import Loop

/// The bytes of an idle object.
var memoryRows: [Row] {
    [
        Row("Memory", "one of 100,000 idle objects", peer: "see below") {
            [
                .bytes("loop (Mobius 926)", of: "loops", over: "nothing", count: 100_000),
                .bytes("store (ReCombine 478)", of: "stores", over: "nothing", count: 100_000),
                .bytes("component (Bow Arch 316)", of: "components", over: "nothing", count: 100_000),
                .bytes("controller, running", of: "controllers", over: "nothing", count: 100_000)
                    .pending(
                        goal: 2_000, "two recursive locks, a dispatch queue, the queue of its entry, its own setup"),
                .bytes("effect (ReCombine 1,123)", of: "effects", over: "nothing", count: 100_000),
                .bytes("subscription (ReCombine 913)", of: "selections", over: "nothing", count: 100_000),
            ]
        }
    ]
}

/// Makes 100,000 objects of a kind and keeps them until the process ends.
func hold(_ make: () -> AnyObject) {
    for _ in 0..<100_000 { _ = Unmanaged.passRetained(make()) }
}

func holdLoops() {
    // By one builder, as the loops of an app's screens are.
    hold { bareBuilder.start(from: 0) }
}

func holdControllers() {
    hold {
        let controller = bareBuilder.makeController(from: 0)
        controller.start()
        return controller
    }
}

func holdStores() {
    hold { Store(reducer: counting, initialState: Counts()) }
}

func holdComponents() {
    hold { Component(initialState: 0, environment: (), dispatcher: counter) }
}

func holdEffects() {
    let store = Store(reducer: counting, initialState: Counts())
    let effect = listening(Answer.self)
    for _ in 0..<100_000 { store.register(effect) }
    hold(store)
}

func holdSelections() {
    let store = Store(reducer: counting, initialState: Counts())
    for _ in 0..<100_000 { store.select(\.other).observe { use($0) } }
    hold(store)
}

/// Keeps an object until the process ends.
private func hold(_ object: AnyObject) {
    _ = Unmanaged.passRetained(object)
}
