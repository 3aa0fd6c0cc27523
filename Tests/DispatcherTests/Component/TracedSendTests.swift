import ArchitectureEngine
import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// A component with a trace processes its inputs as one without a trace.
@Suite("Component: the same with a trace", .timeLimit(.minutes(10)))
struct TracedSendTests {
    private enum Input: Sendable {
        case add(Int)
        case load(Int)
    }

    private func component(_ trace: Trace?, _ time: VirtualScheduler) -> Component<[Int], Input> {
        Component(
            initialState: [], environment: (), executor: time.executor, trace: trace,
            dispatcher: StateDispatcher<Void, [Int], Input>.effectful { input in
                switch input {
                case .add(let number): .pure(.update { $0.append(number) })
                case .load(let number):
                    EnvIO { _ in
                        try await time.clock.sleep(for: .seconds(number))
                        return .update { $0.append(number) }
                    }
                }
            })
    }

    /// The states that a component has, the inputs of its observer, and the results of its sends.
    private func log(_ trace: Trace?) -> [String] {
        let log = Log()
        let time = VirtualScheduler()
        let component = component(trace, time)
        component.observe { [unowned component] numbers in
            log.append("\(numbers)")
            if numbers.last == 1 {
                let answer = component.send(.add(10))
                log.append("answer has \(answer.work == nil ? "no work" : "work")")
            }
        }
        var tasks: [SendTask] = []
        for input in [Input.add(1), .load(2), .load(3), .add(4)] {
            let task = component.send(input)
            log.append(
                "\(input) has \(task.work == nil ? "no work" : "work"), finished: \(task.work?.isFinished ?? true)")
            tasks.append(task)
        }
        tasks[2].cancel()
        time.advance(by: .seconds(10))
        for task in tasks { log.append("cancelled: \(task.isCancelled), finished: \(task.work?.isFinished ?? true)") }
        return log.lines
    }

    @Test("Inputs are processed at the same time, and have the same handles")
    func handles() {
        let plain = log(nil)
        #expect(plain.contains("add(4) has no work, finished: true"))
        #expect(plain.contains("answer has work"))
        #expect(plain.contains("load(2) has work, finished: false"))
        #expect(plain.contains("[1, 10, 4, 2]"))
        #expect(log(Trace { _ in }) == plain)
        #expect(log(Trace(to: TraceBuffer(), snapshots: false)) == plain)
    }
}
