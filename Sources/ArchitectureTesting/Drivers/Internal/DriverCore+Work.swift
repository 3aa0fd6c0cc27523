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
    /// Whether it lasts as long as its owner.
    var isPermanent = false
    /// Whether it is a message whose work starts when earlier work of its policy has ended.
    var isQueued = false
}

extension DriverCore {
    /// The works under way, and the messages that policies delay, in the order in which they were started.
    ///
    /// A work is listed once for each of its tasks that sleep.
    func runningWork() -> [RunningWork] {
        var (works, submissions) = log.withFields { (Array($0.works.values), $0.submissions) }
        // What a policy delays is listed as a submission.
        let pauses = works.filter(\.isPause)
        works.removeAll { $0.isPause || $0.isListening }
        works.sort { $0.id < $1.id }
        var deadlines: [Int: [Duration]] = [:]
        for (deadline, cause) in time.clock.sleepers {
            if let cause, numbers.contains(cause.id) { deadlines[cause.id, default: []].append(deadline.offset) }
        }
        var running = works.flatMap { work in
            let statuses = deadlines.removeValue(forKey: work.id)?.map(WorkStatus.sleeping) ?? [.waiting]
            return statuses.map { status in
                RunningWork(subject: text(work), cause: work.id, status: status, isPermanent: work.isPermanent)
            }
        }
        running += submissions.map { submission in
            let status = submission.start.map(WorkStatus.sleeping) ?? .waiting
            let pause = pauses.first { log.causes(from: $0.id).dropFirst().first?.id == submission.cause }
            return .init(
                subject: pause.map(text) ?? text(submission.subject, of: submission.cause),
                cause: submission.cause, status: status, isQueued: status == .waiting)
        }
        // Tasks that outlive the work that has started them. A sleep whose cause is a message is that of a policy's
        // clock, for this message or for those that have replaced it since. These are listed above.
        for (cause, deadlines) in deadlines.sorted(by: { $0.key < $1.key }) {
            if log.withFields({ $0.causes[cause]?.message }) != nil { continue }
            let subject = subject(cause)
            running += deadlines.map { .init(subject: subject, cause: cause, status: .sleeping(until: $0)) }
        }
        return running
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
