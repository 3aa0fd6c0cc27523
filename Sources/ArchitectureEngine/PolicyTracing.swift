package import FunctionalCore

/// A submission to a policy queue in a trace. It records the decisions of the policy about one work.
///
/// The queue records outside of its lock. So two decisions that threads make at the same time may be recorded in
/// reverse order.
package final class TracedSubmission: Sendable {
    private let tracer: Tracer
    private let subject: TraceValue
    private let cause = TraceCause.current

    /// Creates a submission with the current cause. `subject` is the value that the work handles.
    fileprivate init(_ subject: any Sendable, _ tracer: Tracer) {
        self.tracer = tracer
        self.subject = tracer.redacted(subject)
    }

    /// Records a decision with the current cause. For example, the message of a newer work causes the replacement.
    func record(_ decision: TraceEvent.Decision, delay: Duration = .zero, in queue: PolicyQueue? = nil) {
        tracer.record(decision, on: subject, of: self, delay: delay, queue: queue)
    }

    fileprivate func start(_ body: () -> Void) {
        TraceCause.with(cause) {
            record(.starts)
            body()
        }
    }
}

extension TracedSubmission? {
    /// Starts the work by calling `body` with the cause of the submission. The message that has freed the queue, or the
    /// timer, is not the cause of the work.
    func start(_ body: () -> Void) {
        guard let self else { return body() }
        self.start(body)
    }
}

extension Tracer {
    /// Returns a submission of a work for `subject`, with the current cause. Returns `nil` if the policy is
    /// `concurrent`, because this policy makes no decisions.
    package func submission(of subject: any Sendable, to policy: Policy) -> TracedSubmission? {
        if case .concurrent = policy.kind { nil } else { TracedSubmission(subject, self) }
    }
}
