import Dispatcher
import Effects
import Loop
import Observation

private let section = "Reading the state"

var readingRows: [Row] {
    [
        Row(section, "component") {
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
            return [.time("", reading("state") { component.state }, Baseline.lock())]
        },
        Row(section, "scope") {
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
            let scope = opaque(component.scope(state: \.self, input: CounterInput.add))
            return [
                .time("", reading("state") { scope.state }, Baseline.lock())
                    .pending(goal: 2.6, "The key path of the part is applied in code that is not specialized.")
            ]
        },
        Row(section, "loop", peer: "Mobius 10.6", isCounted: true) {
            let loop = opaque(bareBuilder.start(from: 0))
            return [.time("", reading("latestModel") { loop.latestModel }, Baseline.lock())]
        },
        Row(section, "controller") {
            let controller = opaque(bareBuilder.makeController(from: 0))
            return [
                .time("", reading("model") { controller.model }, Baseline.lock())
                    .pending(
                        goal: 3,
                        "The state of the controller is copied out of its lock by code that is not specialized.")
            ]
        },
        Row(section, "store", peer: "ReSwift 31", isCounted: true) {
            let store = makeStore()
            return [.time("", reading("state") { store.state.count }, Baseline.lock())]
        },
        Row(section, "selection") {
            let store = makeStore()
            let selection = opaque(store.select(\.count))
            return [.time("", reading("value") { selection.value }, Baseline.lock())]
        },
        Row(section, "store, each read tracked") { [.time("", tracking(), Baseline.lock())] },
    ]
}

/// Reads that nothing tracks. Each takes two locks: one to find out that it is not tracked, and that of the state.
private func reading(_ name: String, _ read: @escaping () -> Int) -> Subject {
    Subject(name) {
        for _ in 0..<1_000 { use(read()) }
    }
}

/// Reads of a store in one tracking, which ends with the store.
private func tracking() -> Subject {
    Subject("tracked state") {
        let store = makeStore()
        withObservationTracking {
            for _ in 0..<1_000 { use(store.state.count) }
        } onChange: {
        }
    }
}
