import FunctionalCore
import Testing
import VirtualTime

extension DriverCore {
    /// Reports what the test has not stated: as a failure, or as a warning if the axis is relaxed.
    func report(_ finding: DriverFinding, _ location: SourceLocation) {
        if axes.contains(finding.axis) { fail([finding.failure], location) } else { warn(finding.warning, location) }
    }

    func fail(_ texts: [String], _ location: SourceLocation) {
        if !canSee { return }
        reportStoppedChains()
        let hasGivenUp = attempt.map { $0.isLast && $0.isLacking } ?? false
        record(texts.map { hasGivenUp ? DriverText.givenUp + $0 : $0 }, location)
    }

    /// Whether the driver sees what happens and may record issues. If not, it has recorded the reason.
    var canSee: Bool { !isBlind && !isNested }

    /// Whether the caller is code that this driver runs, or that another driver with the same executor runs.
    var isNested: Bool {
        time.executor.isDraining || TraceCause.current.map { numbers.contains($0.id) } ?? false
    }

    /// Reports the stopped chains of messages, which come before all other issues. Returns whether this driver has
    /// reported a stopped chain, now or earlier.
    @discardableResult
    func reportStoppedChains() -> Bool {
        let stops = log.withFields { fields in
            defer { fields.failures.removeAll(where: \.isStoppedChain) }
            return fields.failures.filter(\.isStoppedChain)
        }
        for stop in stops { record(["\(stop.error)"], place(stop.cause)) }
        if !stops.isEmpty { hasReportedStop = true }
        return hasReportedStop
    }

    func warn(_ text: String, _ location: SourceLocation) {
        if !canSee { return }
        #if compiler(>=6.3)
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
        #else
            FunctionalCore.report("\(location): \(text)")
        #endif
    }

    /// Returns the line at which issues about an event with this cause are recorded. It is the line of the message
    /// among the causes that the test has sent. If there is none, it is the line of the last message that the test has
    /// received. If there is none either, it is the line where the driver was created.
    func place(_ cause: Int?) -> SourceLocation {
        let stated = log.causes(from: cause).compactMap { statedMessages[$0.id] }
        return (stated.last { $0.isSent } ?? stated.first)?.sourceLocation ?? origin
    }

    /// Returns the text of the latest message in the chain of causes that begins with `cause`. If there is none,
    /// returns the name of the owner.
    func subject(_ cause: Int?) -> String {
        log.cause(from: cause) { _, message in message != nil }?.message.map { "\($0)" } ?? words.outside
    }
}
