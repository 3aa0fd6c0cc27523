import Effects
import FunctionalCore
import Testing
import VirtualTime

/// A work that is under way, a submission that a policy delays, or another sleeping task. `expectWork` compares these
/// values, the end of a test reports those that are left, and the texts of issues name them.
struct RunningWork {
    let subject: String
    /// The number of the work in the trace. For a task or a submission to a policy that is no such work, the number of
    /// the message or work that has caused it.
    let cause: Int?
    let status: WorkStatus
    /// The type of the clock on which the work sleeps, if it is not the clock of the driver. Otherwise `nil`.
    var clock: String?
    /// Whether the work lasts as long as its owner.
    var isPermanent = false
    /// Whether the work has not started, because it waits for earlier work of its policy.
    var isQueued = false

    /// Whether another thread may end the work. Virtual time does not advance during a wait.
    var mayEnd: Bool { status == .waiting && !isPermanent && !isQueued }
}

extension DriverCore {
    /// Returns the works under way, then the submissions that policies delay, and then the other sleeping tasks.
    ///
    /// A work is listed once for each of its sleeping tasks, and once if no task of it sleeps. The other sleeping tasks
    /// are those that no work under way has started.
    func runningWork() -> [RunningWork] {
        var (works, submissions) = log.withFields { (Array($0.works.values), $0.submissions) }
        // A value that a policy delays is listed as a submission, and not as a pause.
        let pauses = works.filter(\.isPause)
        works.removeAll { $0.isPause || $0.isListening }
        works.sort { $0.id < $1.id }
        var (sleeps, queues) = sleeps(of: Set(submissions.map(\.queue)))
        var running = works.flatMap { work in
            (sleeps.removeValue(forKey: work.id) ?? [.init(status: .waiting)]).map { sleep in
                RunningWork(
                    subject: text(work), cause: work.id, status: sleep.status, clock: sleep.clock,
                    isPermanent: work.isPermanent)
            }
        }
        running += submissions.map { submission in
            let (sleep, start) = (queues[submission.queue], submission.start.map(WorkStatus.sleeping))
            let pause = pauses.first { log.causes(from: $0.id).dropFirst().first?.id == submission.cause }
            return .init(
                subject: pause.map(text) ?? text(submission.subject, of: submission.cause),
                cause: submission.cause, status: sleep?.isVirtual == true ? start ?? .waiting : .waiting,
                clock: sleep?.clock, isQueued: start == nil)
        }
        // Tasks that no work has started, or that outlive the work that has started them.
        for (cause, sleeps) in sleeps.sorted(by: { $0.key ?? 0 < $1.key ?? 0 }) {
            let subject = subject(ofTask: cause)
            // A task that has outlived its subscription is not permanent.
            let isOfMessage = log.withFields { fields in cause.flatMap { fields.causes[$0]?.message } != nil }
            running += sleeps.map { sleep in
                .init(
                    subject: subject, cause: cause, status: sleep.status, clock: sleep.clock,
                    isPermanent: sleep.isPermanent && isOfMessage)
            }
        }
        return running
    }

    /// A sleep of a task.
    private struct Sleep {
        let status: WorkStatus
        /// The type of the clock, or `nil` for the clock of the driver.
        var clock: String?
        var isPermanent = false

        var isVirtual: Bool { status != .waiting }
    }

    /// Returns the sleeps that have not ended: those of tasks, by the numbers of the messages or works that started the
    /// tasks, and those of `queues`, by the queues. `queues` identifies the policy queues that have submissions.
    ///
    /// The clock of the driver lists all tasks that sleep on it. For other clocks, the log contains only the sleeps
    /// that the library itself has begun.
    private func sleeps(
        of queues: Set<ObjectIdentifier?>
    ) -> (tasks: [Int?: [Sleep]], queues: [ObjectIdentifier?: Sleep]) {
        var noted = log.withFields(\.sleeps)
        var (tasks, ofQueues): ([Int?: [Sleep]], [ObjectIdentifier?: Sleep]) = ([:], [:])
        func add(_ sleep: Sleep, _ cause: Int?, _ queue: ObjectIdentifier?) {
            if queue != nil, queues.contains(queue) {
                ofQueues[queue] = sleep
            } else {
                tasks[cause, default: []].append(sleep)
            }
        }
        for (deadline, cause) in time.clock.sleepers {
            let queue = cause.flatMap { noted.removeValue(forKey: ObjectIdentifier($0))?.queue }
            if let cause, !numbers.contains(cause.id) { continue }
            let isPermanent = cause?.isPermanent ?? false
            add(Sleep(status: .sleeping(until: deadline.offset), isPermanent: isPermanent), cause?.id, queue)
        }
        for sleep in noted.values.sorted(by: { $0.clock < $1.clock }) {
            // A queue without submissions has stopped its timer, whose task has not ended yet.
            if sleep.queue != nil, !queues.contains(sleep.queue) { continue }
            let isPermanent = sleep.isPermanent
            add(Sleep(status: .waiting, clock: sleep.clock, isPermanent: isPermanent), sleep.cause, sleep.queue)
        }
        return (tasks, ofQueues)
    }

    /// Returns the name of a task in the text of an issue. `cause` is the number of the message or work that started
    /// the task.
    func subject(ofTask cause: Int?) -> String {
        guard let cause, numbers.contains(cause) else { return words.foreignTask }
        return log.withFields { $0.works[cause] }.map(text) ?? subject(cause)
    }

    /// Returns the name of a work in the text of an issue. Unless the work is permanent, the name also contains the
    /// message that caused it, if one is known.
    private func text(_ work: DriverLog<S>.Work) -> String {
        guard work.subject.value is StreamWork else {
            return work.isPermanent ? "\(work.subject)" : text(work.subject, of: work.id)
        }
        let message = log.cause(from: work.id) { _, message in message != nil }?.message
        return "The \(work.subject)" + (message.map { " for \($0)" } ?? "")
    }

    /// Returns the name of a work in the text of an issue.
    private func text(_ subject: TraceValue, of cause: Int?) -> String {
        let message = log.cause(from: cause) { _, message in message != nil }?.message
        return words.work("\(subject)", message.map { "\($0)" } ?? words.outside)
    }

    /// Expects that the work of a message has these statuses.
    func expectWork(_ handle: Sent, _ expected: [WorkStatus], at location: SourceLocation) {
        settle(location)
        if !isKnown(handle, location) { return }
        let running = runningWork().filter { isCaused($0.cause, by: handle) && !$0.isPermanent }
        let expected = expected.sorted()
        if running.map(\.status).sorted() != expected, handle.id == 0 || !waits() {
            fail([DriverText.differentWork(handle, expected, running, now: now)], location)
        }
    }

    /// Removes the first failure whose error has the type `Failure`, and returns the error.
    func takeFailure<Failure: Error>(as type: Failure.Type) -> Failure? {
        log.withFields { fields in
            guard let index = fields.failures.firstIndex(where: { $0.error is Failure }) else { return nil }
            return fields.failures.remove(at: index).error as? Failure
        }
    }

    /// Records an issue, because no work has failed with an error of the type `type`.
    func failWithoutFailure<Failure>(of type: Failure.Type, _ location: SourceLocation) {
        let others = log.withFields(\.failures).map { "\($0.error)" }
        fail([DriverText.noFailure(of: type, others, waiting: runningWork(), now: now)], location)
    }

    /// Expects that the next recorded call matches `expected`, and returns the call.
    @discardableResult
    func expectCall(_ expected: ExpectedCall, at location: SourceLocation) -> RecordedCall? {
        settle(location)
        guard let calls else {
            fail([DriverText.noRecorder], location)
            return nil
        }
        let result = calls.expect(
            expected, inOrder: axes.contains(.calls), by: numbers.lowerBound >> 32,
            orWait: waits)
        if let failure = result.failure { fail([failure], location) }
        return result.call
    }
}
