package import FunctionalCore

/// A submission to a policy queue in a trace: records what the policy decides about one work.
///
/// The queue calls it outside of its lock. So decisions that two threads make at the same time may be recorded in another
/// order.
package final class TracedSubmission: Sendable {
    private let tracer: Tracer
    private let subject: TraceValue
    private let cause = TraceCause.current

    /// Creates a submission that has the current cause. The subject is what the work is for.
    fileprivate init(_ subject: any Sendable, _ tracer: Tracer) {
        self.tracer = tracer
        self.subject = tracer.redacted(subject)
    }

    /// Records a decision, whose cause is the current one: newer work, for example, replaces the work.
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
    /// Starts the work by `body`, with the cause of the submission: the message that has freed the queue, or the timer,
    /// is not the cause of the work.
    func start(_ body: () -> Void) {
        guard let self else { return body() }
        self.start(body)
    }
}

extension Tracer {
    /// A submission of a work that is for `subject`, and has the current cause. `nil` if the policy is `concurrent`, which
    /// decides nothing.
    package func submission(of subject: any Sendable, to policy: Policy) -> TracedSubmission? {
        if case .concurrent = policy.kind { nil } else { TracedSubmission(subject, self) }
    }
}
