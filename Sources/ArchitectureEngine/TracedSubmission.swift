package import FunctionalCore

/// A recorder of the decisions of a policy about one work item, for a trace.
///
/// The queue records decisions outside of its lock. So if two threads make decisions at the same time, these may be
/// recorded in reverse order.
package final class TracedSubmission: Sendable {
    private let tracer: Tracer
    private let subject: TraceValue
    fileprivate let cause = TraceCause.current

    /// Creates a recorder for a work item that is submitted now, with the current cause. `subject` is the value that
    /// the work item handles.
    fileprivate init(_ subject: TraceValue, _ tracer: Tracer) {
        self.tracer = tracer
        self.subject = subject
    }

    /// Records a decision with the current cause. For example, the cause of a replacement is the message that submits
    /// the newer work item.
    func record(_ decision: TraceEvent.Decision, delay: Duration = .zero, in queue: PolicyQueue? = nil) {
        tracer.record(decision, on: subject, of: self, delay: delay, queue: queue)
    }
}

extension TracedSubmission? {
    /// Calls `body`, which starts the work item, with the cause that was current at the submission. So a work item that
    /// starts late is not caused by the timer, or by the end of an earlier work item.
    func start(_ body: () -> Void) {
        guard let self else { return body() }
        TraceCause.with(self.cause) {
            self.record(.starts)
            body()
        }
    }
}

extension Tracer {
    /// Returns a recorder for a work item that handles `subject` and is submitted now. Returns `nil` if the policy is
    /// `concurrent`, because this policy makes no decisions.
    package func submission(of subject: any Sendable, to policy: Policy) -> TracedSubmission? {
        if case .concurrent = policy.kind { nil } else { TracedSubmission(redacted(subject), self) }
    }

    /// Returns a recorder for a work item whose subject has the redactions of the trace applied.
    package func submission(of subject: TraceValue, to policy: Policy) -> TracedSubmission? {
        if case .concurrent = policy.kind { nil } else { TracedSubmission(subject, self) }
    }
}
