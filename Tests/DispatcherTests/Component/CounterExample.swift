import Dispatcher
import FunctionalCore
import TestSupport

/// The state of the example that the tests of components run: a counter that can also fail and wait for a gate.
struct Counter: Equatable, Sendable {
    var count = 0
    var other = 0
    var log: [String] = []
}

enum CounterInput: Equatable, Sendable {
    case add(Int)
    case addLater(Int)
    case fail
    case touchOther
    case workflow(String)
}

struct Broken: Error, Equatable {}

let counter = StateDispatcher<Gate, Counter, CounterInput>.workflow { input in
    switch input {
    case .add(let number):
        return [.pure(.update { $0.count += number })]
    case .addLater(let number):
        return [
            EnvIO { (gate: Gate) async throws in
                await gate.pass()
                return .update { $0.count += number }
            }
        ]
    case .fail:
        return [
            .pure(.update { $0.log.append("before") }),
            .fail(Broken()),
            .pure(.update { $0.log.append("after") }),
        ]
    case .touchOther:
        return [.pure(.update { $0.other += 1 })]
    case .workflow(let name):
        return [
            .pure(.update { $0.log.append("\(name) begins") }),
            EnvIO { (gate: Gate) async throws in
                await gate.pass()
                return .update { $0.log.append("\(name) waited") }
            },
            .pure(.update { $0.log.append("\(name) ends") }),
        ]
    }
}
