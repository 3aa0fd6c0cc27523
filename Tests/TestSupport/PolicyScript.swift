public import FunctionalCore
public import PropertyTesting
public import Testing
public import VirtualTime

public enum PolicyKind: Sendable, CaseIterable {
    case concurrent, limited, queued, queuedLatest, latest, first, debounce, debounceAtMost, throttle
    case throttleToFirst

    public func policy(_ clock: some Clock<Duration>, for interval: Duration = PolicyScript.interval) -> Policy {
        switch self {
        case .concurrent: .concurrent
        case .limited: .concurrent(limit: 2)
        case .queued: .queued
        case .queuedLatest: .queuedLatest
        case .latest: .latest
        case .first: .first
        case .debounce: .debounce(for: interval, clock: clock)
        case .debounceAtMost: .debounce(for: interval, atMost: interval * 2, clock: clock)
        case .throttle: .throttle(for: interval, clock: clock)
        case .throttleToFirst: .throttle(for: interval, latest: false, clock: clock)
        }
    }
}

/// Works that a caller submits to a front door and cancels: what they do, and when.
public struct PolicyScript: Sendable, CustomStringConvertible {
    /// How a work ends by itself.
    public enum End: Sendable, CaseIterable {
        case value, failure
        /// Throws a `CancellationError` without having been cancelled.
        case ownCancellationError
        case cancelled
    }

    public struct Work: Sendable {
        /// Works of different ids have policies of their own.
        public let id: Int
        public let end: End
        public fileprivate(set) var duration: Duration
        fileprivate var submission: Duration
        fileprivate var cancellation: Duration?
        fileprivate var flush: Duration?

        public var error: (any Error)? {
            switch end {
            case .failure: Failure()
            case .ownCancellationError: CancellationError()
            case .value, .cancelled: nil
            }
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "failure"
    }

    public let works: [Work]

    // No two events that do not cause each other come at the same time, if there are at most seven works. Submissions are
    // 0 to 6 milliseconds after a full second, cancellations 100 to 106, and flushes 200 to 206. Timers follow up to six of these intervals
    // after a submission: 470, 940, 410, 880, 350 or 820 milliseconds later, modulo a second. Works that take time end
    // full seconds and some microseconds after such a time: for each work another power of two, together less than a
    // millisecond. The intervals would be too many from the 13th on, which is 110 milliseconds after a full second.
    public static let interval = Duration.milliseconds(9_470)

    /// Returns a generator of scripts of one to seven works.
    ///
    /// - Parameters:
    ///   - ends: How the works of the front door can end.
    ///   - isOftenUndisturbed: Whether a script decides for all its works whether they can be cancelled, and whether they
    ///     can end otherwise than with a value. Pass `true` if one cancellation or failure stops all works.
    public static func scripts(
        ends: [End] = [.value], ids: ClosedRange<Int> = 0...1, isOftenUndisturbed: Bool = false
    ) -> Gen<PolicyScript> {
        guard isOftenUndisturbed else { return scripts(ends: ends, ids: ids, isCancelled: true) }
        return .frequency(
            (2, scripts(ends: [.value], ids: ids, isCancelled: false)),
            (1, scripts(ends: [.value], ids: ids, isCancelled: true)),
            (1, scripts(ends: ends, ids: ids, isCancelled: false)),
            (1, scripts(ends: ends, ids: ids, isCancelled: true)))
    }

    private static func scripts(ends: [End], ids: ClosedRange<Int>, isCancelled: Bool) -> Gen<PolicyScript> {
        let seconds = Gen.int(in: 0...12)
        let cancellation = Gen.frequency((2, .always(nil)), (isCancelled ? 1 : 0, seconds.map { Int?.some($0) }))
        let work = Gen.zip(
            seconds, Gen.int(in: ids), .frequency((1, .always(0)), (3, seconds)), .element(of: ends), cancellation,
            .frequency((3, .always(nil)), (1, seconds.map { Int?.some($0) })))
        return work.array(1...7).map { works in
            var time = Duration.zero
            return PolicyScript(
                works: works.enumerated().map { number, work in
                    time += .seconds(work.0)
                    let submission = time + .milliseconds(number)
                    return Work(
                        id: work.1, end: work.3,
                        duration: work.2 == 0 ? .zero : .seconds(work.2) + .microseconds(1 << number),
                        submission: submission,
                        cancellation: work.4.map { submission + .seconds($0) + .milliseconds(100) },
                        flush: work.5.map { submission + .seconds($0) + .milliseconds(200) })
                })
        }
    }

    public var description: String {
        works.enumerated().map { number, work in
            """
            \(number) of id \(work.id) at \(work.submission), takes \(work.duration), ends with \(work.end)\
            \(work.cancellation.map { ", cancelled at \($0)" } ?? "")\
            \(work.flush.map { ", flushed at \($0)" } ?? "")
            """
        }.joined(separator: "\n")
    }

    /// The events of the caller, in order.
    fileprivate var calls: [(time: Duration, work: Int, call: Call)] {
        works.indices.flatMap { number in
            let work = works[number]
            let times: [(Duration?, Call)] = [
                (work.submission, .submit), (work.cancellation, .cancel), (work.flush, .flush),
            ]
            return times.compactMap { time, call in time.map { ($0, number, call) } }
        }.sorted { $0.0 < $1.0 }
    }

    fileprivate enum Call { case submit, cancel, flush }
}

/// What the documentation of the policies says that happens to the works of a script, without their implementation.
public struct PolicyModel {
    /// What differs between the front doors.
    public struct FrontDoor: Sendable {
        public enum Cancellation: Sendable, CaseIterable { case work, works, allWorks }

        /// What a caller cancels: a work, the submitted works of its id, or all works, also those submitted later.
        public let cancellation: Cancellation
        /// Whether the first failure stops all works, as in a store. There, a failure does not name its work.
        let failureStopsAll: Bool
        /// Whether the front door ends with the last work of the script.
        let ends: Bool

        public init(cancelling cancellation: Cancellation, failureStopsAll: Bool = false, ends: Bool = false) {
            (self.cancellation, self.failureStopsAll, self.ends) = (cancellation, failureStopsAll, ends)
        }
    }

    public enum Phase: Sendable { case unknown, waiting, running, ended, cancelled }
    public enum Status: Sendable { case running, cancelled, failed, finished }

    private let kind: PolicyKind
    private let works: [PolicyScript.Work]
    private let frontDoor: FrontDoor
    private var now = Duration.zero
    // The ends of works, and the timers that start waiting works.
    private var agenda: [(time: Duration, work: Int)] = []
    private var lastStarts: [Int: Duration] = [:]
    // The ends of the longest waits by id, and the works that wait for the end of a work, and for no clock.
    private var lastDeadlines: [Int: Duration] = [:]
    private var due: Set<Int> = []
    private var submittedCount = 0
    public private(set) var phases: [Phase]
    public private(set) var status = Status.running
    /// The starts, values and failures, in order.
    fileprivate private(set) var lines: [String] = []

    fileprivate init(_ kind: PolicyKind, _ works: [PolicyScript.Work], _ frontDoor: FrontDoor) {
        (self.kind, self.works, self.frontDoor) = (kind, works, frontDoor)
        phases = works.map { _ in .unknown }
    }

    private func all(_ phase: Phase, of id: Int) -> [Int] {
        works.indices.filter { phases[$0] == phase && works[$0].id == id }
    }

    /// How many works run at once, if further ones wait for their end.
    private var limit: Int? {
        switch kind {
        case .queued, .queuedLatest, .debounce, .debounceAtMost: 1
        case .limited: 2
        case .concurrent, .latest, .first, .throttle, .throttleToFirst: nil
        }
    }

    private func waitsForAnEnd(_ work: Int) -> Bool {
        kind == .debounce || kind == .debounceAtMost ? due.contains(work) : limit != nil
    }

    /// The number of tasks that sleep: one for each running work, and one for all works of an id that wait for the clock.
    fileprivate var sleeperCount: Int {
        let waiting = works.indices.filter { phases[$0] == .waiting && !waitsForAnEnd($0) }
        return phases.count { $0 == .running } + Set(waiting.map { works[$0].id }).count
    }

    fileprivate mutating func advance(to time: Duration) {
        while let next = agenda.indices.min(by: { agenda[$0].time < agenda[$1].time }), agenda[next].time <= time {
            let event = agenda.remove(at: next)
            now = event.time
            switch phases[event.work] {
            case .running: end(event.work)
            case .waiting:
                if kind == .debounce { cancel(all(.running, of: works[event.work].id)) }
                if kind == .debounceAtMost { waitForTheEnd(event.work) } else { start(event.work) }
            case .unknown, .ended, .cancelled: break
            }
            finishIfIdle()
        }
        now = time
    }

    fileprivate mutating func submit(_ work: Int) {
        let id = works[work].id
        let (running, waiting) = (all(.running, of: id), all(.waiting, of: id))
        let intervalEnd = lastStarts[id].map { $0 + PolicyScript.interval } ?? now
        submittedCount += 1
        switch kind {
        case _ where status != .running: phases[work] = .cancelled
        case .latest:
            cancel(running)
            start(work)
        case .first where !running.isEmpty: phases[work] = .cancelled
        case .queued where !running.isEmpty: phases[work] = .waiting
        case .queuedLatest where !running.isEmpty:
            cancel(waiting)
            phases[work] = .waiting
        case .limited where running.count >= 2: phases[work] = .waiting
        case .debounce:
            cancel(waiting)
            wait(work, until: now + PolicyScript.interval)
        case .debounceAtMost:
            if waiting.isEmpty { lastDeadlines[id] = now + PolicyScript.interval * 2 }
            cancel(waiting)
            let deadline = min(now + PolicyScript.interval, lastDeadlines[id] ?? now)
            if deadline > now { wait(work, until: deadline) } else { waitForTheEnd(work) }
        case .throttle where now < intervalEnd:
            cancel(waiting)
            wait(work, until: intervalEnd)
        case .throttleToFirst where now < intervalEnd:
            if waiting.isEmpty { wait(work, until: intervalEnd) } else { phases[work] = .cancelled }
        case .concurrent, .limited, .queued, .queuedLatest, .first, .throttle, .throttleToFirst: start(work)
        }
        finishIfIdle()
    }

    fileprivate mutating func cancelByCaller(_ work: Int) {
        let id = works[work].id
        switch frontDoor.cancellation {
        case .work: cancel([work])
        case .works:
            cancel(all(.waiting, of: id) + all(.running, of: id))
            // What has been cancelled delays no later works.
            lastStarts[id] = nil
        case .allWorks: stop(.cancelled)
        }
        finishIfIdle()
    }

    fileprivate mutating func flushByCaller(_ work: Int) {
        for work in all(.waiting, of: works[work].id) where !waitsForAnEnd(work) {
            agenda.removeAll { $0.work == work }
            if limit == nil { start(work) } else { waitForTheEnd(work) }
        }
        finishIfIdle()
    }

    private mutating func wait(_ work: Int, until time: Duration) {
        phases[work] = .waiting
        agenda.append((time, work))
    }

    private mutating func waitForTheEnd(_ work: Int) {
        phases[work] = .waiting
        due.insert(work)
        startNext(of: works[work].id)
    }

    private mutating func start(_ work: Int) {
        (phases[work], lastStarts[works[work].id]) = (.running, now)
        lines.append("\(work) starts at \(now)")
        agenda.append((now + works[work].duration, work))
        // The end of the work is then the only event that is due. An outer call of `advance(to:)` has removed its event
        // from the agenda, and reads the agenda again afterwards.
        if works[work].duration == .zero { advance(to: now) }
    }

    private mutating func end(_ work: Int) {
        phases[work] = .ended
        if works[work].end == .value { lines.append("\(work) ends at \(now)") }
        if let error = works[work].error {
            lines.append("\(frontDoor.failureStopsAll ? "" : "\(work) fails with ")\(error) at \(now)")
            if frontDoor.failureStopsAll { stop(.failed) }
        }
        startNext(of: works[work].id)
    }

    private mutating func cancel(_ works: [Int]) {
        for work in works where phases[work] == .running || phases[work] == .waiting { phases[work] = .cancelled }
        if let work = works.first { startNext(of: self.works[work].id) }
    }

    private mutating func startNext(of id: Int) {
        guard let limit else { return }
        while all(.running, of: id).count < limit, let next = all(.waiting, of: id).first(where: waitsForAnEnd) {
            start(next)
        }
    }

    private mutating func finishIfIdle() {
        let isIdle = submittedCount == works.count && !phases.contains { $0 == .running || $0 == .waiting }
        if frontDoor.ends, isIdle, status == .running { status = .finished }
    }

    private mutating func stop(_ status: Status) {
        guard self.status == .running else { return }
        self.status = status
        for work in works.indices where phases[work] == .running || phases[work] == .waiting {
            phases[work] = .cancelled
        }
    }
}

/// The works of a script on a scheduler: what they do, and a log of it.
public struct PolicyRun: Sendable {
    public let script: PolicyScript
    public let scheduler = VirtualScheduler()
    public let log = Log()

    public func write(_ text: String) { log.append("\(text) at \(scheduler.clock.now.offset)") }

    public func start(_ work: Int) { write("\(work) starts") }

    public func end(_ work: Int) { write("\(work) ends") }

    /// Waits as long as a work takes, and throws its error.
    public func finish(_ work: Int) async throws {
        let duration = script.works[work].duration
        if duration > .zero { try await scheduler.clock.sleep(for: duration) }
        if let error = script.works[work].error { throw error }
    }

    /// Returns a sequence that has one element when a work is finished.
    public func sequence<Element: Sendable>(of element: Element, by work: Int) -> AsyncThrowingStream<
        Element, any Error
    > {
        let hasEnded = Guarded(false)
        start(work)
        return AsyncThrowingStream {
            if hasEnded.value { return nil }
            hasEnded.value = true
            try await finish(work)
            return element
        }
    }
}

/// Plays generated scripts, and expects what the model says after each call of the caller.
///
/// - Parameter open: Opens a front door. Returns how a caller submits, cancels and flushes a work, and checks of a front door's own.
public func expectPolicy(
    _ kind: PolicyKind, _ frontDoor: PolicyModel.FrontDoor, _ scripts: Gen<PolicyScript>,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ open: (PolicyRun) -> (
        submit: (Int) -> Void, cancel: (Int) -> Void, flush: (Int) -> Void, check: (PolicyModel) -> Void
    )
) async {
    await forAll(scripts) { script in
        let run = PolicyRun(script: script)
        let scheduler = run.scheduler
        let (submit, cancel, flush, check) = open(run)
        var model = PolicyModel(kind, script.works, frontDoor)
        func advance(to time: Duration) {
            scheduler.advance(by: time - scheduler.clock.now.offset)
            model.advance(to: time)
        }
        func expectModel() {
            #expect(run.log.lines == model.lines, sourceLocation: sourceLocation)
            #expect(scheduler.clock.sleeperCount == model.sleeperCount, sourceLocation: sourceLocation)
            check(model)
        }
        for call in script.calls {
            advance(to: call.time)
            switch call.call {
            case .submit:
                submit(call.work)
                model.submit(call.work)
            case .cancel:
                cancel(call.work)
                model.cancelByCaller(call.work)
            case .flush:
                flush(call.work)
                model.flushByCaller(call.work)
            }
            scheduler.drain()
            expectModel()
        }
        advance(to: .seconds(1_000))
        expectModel()
    }
}
