public import ArchitectureEngine
public import FunctionalCore

extension ComponentRuntime {
    /// Reports the failure of an action to the observers of errors, and ends `traced` with the error.
    @usableFromInline
    func report(_ error: any Error, _ input: Input, of traced: TracedWork?) {
        traced?.fail(error)
        traced.asCause { report(error, input) }
    }

    private func report(_ error: any Error, _ input: Input) {
        report(
            Failure(error: error, source: .input(input)),
            unobserved: """
                An action for the input \(core.tracer.text(of: input)) failed, and no observer of errors is registered: \
                \(error is RunawayInput ? "\(error)" : core.tracer.text(of: error))
                """)
    }

    /// Reports that the clock of a policy has failed while `input` waited for it.
    func report(_ error: any Error, ofClockFor input: Input) {
        if let tracer = core.tracer { tracer.record(.failed(work: nil, error: tracer.redacted(error))) }
        report(
            Failure(error: error, source: .input(input)),
            unobserved: """
                The clock of a policy of \(Component<S, Input>.self) failed, and what waited for it was dropped: \
                \(core.tracer.text(of: error))
                """)
    }

    func report(_ error: any Error, _ id: SubscriptionID) {
        report(
            Failure(error: error, source: .subscription(id)),
            unobserved: """
                The subscription \(core.tracer.text(of: id)) of \(Component<S, Input>.self) failed, and no observer of \
                errors is registered: \(core.tracer.text(of: error))
                """)
    }

    @usableFromInline
    func report(_ stop: ChainStop, dropping payload: Payload) {
        let isObserver = stop.sender != ObjectIdentifier(core)
        let error = RunawayInput(
            causes: stop.causes,
            description: stop.description(
                of: "\(isObserver ? "An observer" : "An action") of \(Component<S, Input>.self)"))
        // Otherwise an observer that answers each report with another endless chain would be notified without end.
        if stop.isCausedByReport { FunctionalCore.report("\(error)") } else { report(error, payload.input) }
    }
}
