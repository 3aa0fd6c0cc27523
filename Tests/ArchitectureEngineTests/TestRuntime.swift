import ArchitectureEngine
import FunctionalCore

/// A runtime of numbers, which calls `respond` for each number.
final class TestRuntime<StateValue: Sendable>: ObservableRuntime, @unchecked Sendable {
    // Unchecked: each test uses its runtimes on one thread, or sets the closures before it shares them.
    let core: RuntimeCore<StateValue, Int, String>
    let observation = ObservationBridge()
    var respond: (TestRuntime, Int) -> Void
    var reportStop: (TestRuntime, ChainStop) -> Void = { _, _ in }

    init(
        state: StateValue, scheduler: Scheduler = .inline(nil), maximumChain: Int = defaultMaximumChain,
        isSuspended: Bool = false, trace: Trace? = nil,
        respond: @escaping (TestRuntime, Int) -> Void = { _, _ in }
    ) {
        self.respond = respond
        core = RuntimeCore(
            state: state, owner: TestRuntime.self, scheduler: scheduler, maximumChain: maximumChain,
            isSuspended: isSuspended, trace: trace)
        observeForTrace()
    }

    func handle(_ number: Int) { respond(self, number) }

    func report(_ stop: ChainStop, dropping number: Int) { reportStop(self, stop) }

    static func name(of number: Int, in tracer: Tracer?) -> String { "\(number)" }

    static func message(in number: Int) -> any Sendable { number }

    func source(of sender: ObjectIdentifier?) -> TraceEvent.Source { sender == nil ? .action : .observer }
}
