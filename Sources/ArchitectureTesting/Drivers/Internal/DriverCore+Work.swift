import Effects
import FunctionalCore
import Testing
import VirtualTime

/// A work under way, for a text.
struct RunningWork {
    let subject: String
    /// The number of the work, or of the message that a policy delays.
    let cause: Int
    let status: WorkStatus
    /// Whether it lasts as long as its owner.
    var isPermanent = false
}

extension DriverCore {
    /// The works under way, and the messages that policies delay, in the order in which they were started.
    ///
    /// A work is listed once for each of its tasks that sleep.
    func runningWork() -> [RunningWork] {
        var (works, submissions) = log.withFields { (Array($0.works.values), $0.submissions) }
        works.sort { $0.id < $1.id }
        var deadlines: [Int: [Duration]] = [:]
        for (deadline, cause) in time.clock.sleepers {
            if let cause, numbers.contains(cause.id) { deadlines[cause.id, default: []].append(deadline.offset) }
        }
        var running = works.flatMap { work in
            let statuses = deadlines.removeValue(forKey: work.id)?.map(WorkStatus.sleeping) ?? [.waiting]
            submissions.removeAll { $0.cause == work.id && statuses != [.waiting] }
            return statuses.map { status in
                RunningWork(subject: text(work), cause: work.id, status: status, isPermanent: work.isPermanent)
            }
        }
        // What sleeps for a message itself: the clock of a policy, or a task that outlives the work that has started it.
        for (cause, deadlines) in deadlines.sorted(by: { $0.key < $1.key }) {
            // The clock of a policy goes on sleeping for the message that has replaced the one for which it began to.
            let submission =
                submissions.firstIndex { $0.cause == cause } ?? submissions.firstIndex { $0.isDelayed }
            let delayed = submission.map { submissions.remove(at: $0).cause } ?? cause
            let index = running.firstIndex { $0.cause == delayed && $0.status == .waiting }
            if let index { running.remove(at: index) }
            let text = log.withFields { $0.works[delayed] }.map(text) ?? subject(delayed)
            running += deadlines.map { .init(subject: text, cause: delayed, status: .sleeping(until: $0)) }
        }
        submissions.removeAll { submission in running.contains { $0.cause == submission.cause } }
        running += submissions.map { .init(subject: $0.subject, cause: $0.cause, status: .waiting) }
        return running
    }

    /// The subject of a work. The work of an effect is named, with the action that has caused it.
    private func text(_ work: DriverLog<S>.Work) -> String {
        guard work.subject.value is StreamWork else { return "\(work.subject)" }
        let message = log.causes(from: work.id).lazy.compactMap(\.message).first
        return "The \(work.subject)" + (message.map { " for \($0)" } ?? "")
    }

    /// States what the work of a message waits for.
    func expectWork(_ handle: Sent, _ expected: [WorkStatus], at location: SourceLocation) {
        settle(location)
        if !isKnown(handle, location) { return }
        let running = runningWork().filter { isCaused($0.cause, by: handle) && !$0.isPermanent }
        let (actual, expected) = (running.map(\.status).sorted(), expected.sorted())
        if actual != expected { fail([DriverText.differentWork(handle, expected, actual, now: now)], location) }
    }

    /// Takes the first failure that has not been stated, and whose error has a type.
    func takeFailure<Failure: Error>(as type: Failure.Type) -> Failure? {
        log.withFields { fields in
            guard let index = fields.failures.firstIndex(where: { $0.error is Failure }) else { return nil }
            return fields.failures.remove(at: index).error as? Failure
        }
    }

    /// The errors that have not been stated.
    var failureTexts: [String] { log.withFields(\.failures).map { "\($0.error)" } }
}
