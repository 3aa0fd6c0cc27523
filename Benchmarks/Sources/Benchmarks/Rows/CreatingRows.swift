import Dispatcher
import Effects
import FunctionalCore
import Loop

private let section = "Creating and dropping"

var creatingRows: [Row] {
    [
        Row(section, "component", isCounted: true) {
            let dispatcher = opaque(counter)
            return [
                creating { number in
                    use(Component(initialState: number, environment: (), dispatcher: dispatcher))
                }
            ]
        },
        Row(section, "loop", peer: "Mobius 5,595", isCounted: true) {
            // By one builder, as the loops of an app's screens are.
            let builder = opaque(bareBuilder)
            return [creating { number in builder.start(from: number).dispose() }]
        },
        Row(section, "store", isCounted: true) {
            [creating { number in use(Store(reducer: counting, initialState: Counts(count: number))) }]
        },
        Row(section, "controller") {
            let builder = opaque(bareBuilder)
            return [
                creating("never started") { number in use(builder.makeController(from: number)) },
                creating("started and stopped") { number in
                    let controller = builder.makeController(from: number)
                    controller.start()
                    controller.stop()
                },
            ]
        },
    ]
}

private func creating(_ detail: String = "", _ create: @escaping (Int) -> Void) -> Line {
    let work = Subject("create and drop", operations: 100) {
        for index in 0..<100 { create(opaque(index)) }
    }
    return .time(detail, work, Baseline.alloc())
}
