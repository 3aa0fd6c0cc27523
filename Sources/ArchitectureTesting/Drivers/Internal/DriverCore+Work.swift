import Effects
import FunctionalCore
import Testing
import VirtualTime

/// A work under way, for a text.
struct RunningWork {
    let subject: String
    /// The number of the work, or of the message that a policy delays.
    let cause: Int?
    let status: WorkStatus
    /// The type of the clock on which it sleeps, if that is not the clock of the driver.
    var clock: String?
    /// Whether it lasts as long as its owner.
    var isPermanent = false
    /// Whether it is a message whose work starts when earlier work of its policy has ended.
    var isQueued = false
}

extension DriverCore {
    /// The works under way, and the messages that policies delay, in the order in which they were started.
    ///
    /// A work is listed once for each of its tasks that sleep. So is each other task that sleeps on the driver's clock.
    func runningWork() -> [RunningWork] {
        var (works, submissions) = log.withFields { (Array($0.works.values), $0.submissions) }
        // What a policy delays is listed as a submission.
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
            // The tasks of a subscription that has ended are no longer its own.
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
        /// The type of the clock, if that is not the clock of the driver.
        var clock: String?
        var isPermanent = false

        var isVirtual: Bool { status != .waiting }
    }

    /// The sleeps of tasks, by the numbers of what has started the tasks, and those of some queues of policies.
    ///
    /// The clock of the driver lists all tasks that sleep on it. Of the tasks that sleep on other clocks, the log contains
    /// those that the library has started to sleep.
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

    /// The subject of a task, by the number of what has started it.
    func subject(ofTask cause: Int?) -> String {
        guard let cause, numbers.contains(cause) else { return words.foreignTask }
        return log.withFields { $0.works[cause] }.map(text) ?? subject(cause)
    }

    /// The subject of a work. The work of an effect is named, with the message that has caused it.
    private func text(_ work: DriverLog<S>.Work) -> String {
        guard work.subject.value is StreamWork else {
            return work.isPermanent ? "\(work.subject)" : text(work.subject, of: work.id)
        }
        let message = log.cause(from: work.id) { _, message in message != nil }?.message
        return "The \(work.subject)" + (message.map { " for \($0)" } ?? "")
    }

    /// The subject of a work with this cause. If it is the part of an effect that a route has extracted, this is the only
    /// effect of the message, or those with such a payload.
    private func text(_ subject: TraceValue, of cause: Int?) -> String {
        let message = log.cause(from: cause) { _, message in message != nil }
        let all = log.withFields { $0.effects[message?.id] ?? [] }
        let matching =
            all.count == 1
            ? all
            : all.filter { effect in
                let payload = Mirror(reflecting: effect).children.first?.value ?? ()
                return elements(of: payload) == elements(of: subject.value) || "\(effect)" == "\(subject.value)"
            }
        let names = matching.map { "\(TraceValue($0))" }
        let name = names.isEmpty ? "\(subject)" : Set(names).sorted().joined(separator: " or ")
        return words.work(name, message?.message.map { "\($0)" } ?? words.outside)
    }

    /// The texts of the elements of a tuple, or of the value itself.
    private func elements(of value: Any) -> [String] {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .tuple ? mirror.children.map { "\($0.value)" } : ["\(value)"]
    }

    /// States what the work of a message waits for.
    func expectWork(_ handle: Sent, _ expected: [WorkStatus], at location: SourceLocation) {
        settle(location)
        if !isKnown(handle, location) { return }
        let running = runningWork().filter { isCaused($0.cause, by: handle) && !$0.isPermanent }
        let expected = expected.sorted()
        if running.map(\.status).sorted() != expected {
            fail([DriverText.differentWork(handle, expected, running, now: now)], location)
        }
    }

    /// Takes the first failure that has not been stated, and whose error has a type.
    func takeFailure<Failure: Error>(as type: Failure.Type) -> Failure? {
        log.withFields { fields in
            guard let index = fields.failures.firstIndex(where: { $0.error is Failure }) else { return nil }
            return fields.failures.remove(at: index).error as? Failure
        }
    }

    /// Reports that no work has failed with an error of a type.
    func failWithoutFailure<Failure>(of type: Failure.Type, _ location: SourceLocation) {
        let others = log.withFields(\.failures).map { "\($0.error)" }
        fail([DriverText.noFailure(of: type, others, waiting: runningWork(), now: now)], location)
    }

    /// Takes the next call that was recorded, which is expected to be this one.
    @discardableResult
    func expectCall(_ expected: ExpectedCall, at location: SourceLocation) -> RecordedCall? {
        settle(location)
        guard let calls else {
            fail([DriverText.noRecorder], location)
            return nil
        }
        let result = calls.expect(expected, inOrder: axes.contains(.calls), by: numbers.lowerBound >> 32)
        if let failure = result.failure { fail([failure], location) }
        return result.call
    }
}
