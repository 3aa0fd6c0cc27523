import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

enum PolicyEvent: Sendable {
    /// Submits a work. If it is nested, its thread is calling a start. The thread read the clock `ago` seconds before.
    case submit(nested: Bool, ago: Int)
    // The numbers choose one of the works that the event can concern.
    case finish(Int)
    case cancel(Int)
    case beginDelivery(Int)
    case endDelivery
    /// Lets seconds pass, one after the other, in which timers fire when they are due.
    case advance(Int)
    /// Lets seconds pass in which no timer fires, as if the machine were busy.
    case advanceWithoutTimers(Int)
    /// The owner begins or ends the processing of another message. Timers that are due meanwhile fire after it.
    case beginTurn, endTurn
    case fireStoppedTimer(Int)
    case flush, breakClock, close
}

/// The owner of a `PolicyState`, without locks, threads and clocks. It checks each instruction against the rules of the
/// policy.
struct PolicySimulation {
    enum Phase { case submitted, waiting, running, replaced, finished, dropped }

    private struct Entry {
        let item = Work()
        var phase = Phase.submitted
        var number: Int?
        /// Whether a throttle lets it start, although a thread that calls another start still has to start it.
        var isDecided = false
        var hasStarted: Bool { phase == .running || phase == .replaced || phase == .finished }
    }

    private(set) var state: PolicyState<Int>
    private let policy: Policy.Kind
    private let interval: Int
    private var works: [Entry] = []
    private var now = 0
    private var timer: (work: Work, deadline: Int)?
    private var stoppedTimers: [Work] = []
    // The flags of the deliveries that have begun, and whether their works have been cancelled or replaced since.
    private var deliveries: [(flag: Cancellation, isVoid: Bool)] = []
    private var isClosed = false
    private var isInTurn = false
    // Whether timers wait for their turn to decide. Otherwise they decide at once, and only the start waits.
    private let decidesInTurn: Bool
    private var decided: PolicyState<Int>.Entry?
    // The times of the last start, of the submission with which the wait began, and of the latest submission. A throttle
    // measures from the decision.
    private var lastStart: Int?
    private var firstSubmission: Int?
    private var lastSubmission: Int?
    // Whether the event may replace running works, and whether it starts works before their time.
    private var mayReplace = false
    private var isFlushing = false
    private(set) var startCount = 0
    private(set) var deliveryCount = 0
    private(set) var flushCount = 0

    init(_ kind: PolicyKind, decidesInTurn: Bool = true) {
        policy = kind.policy(VirtualClock(), for: .seconds(PolicyStateTests.interval)).kind
        self.decidesInTurn = decidesInTurn
        state = PolicyState(policy)
        interval = PolicyStateTests.interval
    }

    func has(_ isIncluded: (Phase) -> Bool) -> Bool { works.contains { isIncluded($0.phase) } }

    mutating func handle(_ event: PolicyEvent) {
        switch event {
        case .submit(let nested, let ago): submit(nested: nested && !policy.isConcurrent, ago: ago)
        case .finish(let choice):
            guard let index = choose(choice, where: { $0 == .running || $0 == .replaced }) else { return }
            perform(state.finish(works[index].item))
        case .cancel(let choice):
            guard let index = choose(choice, where: { $0 != .dropped && $0 != .finished }) else { return }
            cancel(index)
        case .beginDelivery(let choice):
            let phases: Set<Phase> = [.running, .replaced, .finished]
            guard let index = choose(choice, where: phases.contains) else { return }
            let work = works[index]
            let flag = state.beginDelivery(work.item)
            let mayDeliver = policy.isExclusive ? work.phase == .running : !isClosed
            #expect((flag != nil) == (mayDeliver && !work.item.isCancelled))
            guard let flag else { return }
            if policy.isExclusive { #expect(index == works.lastIndex { $0.phase == .running }) }
            deliveries.append((flag, false))
            deliveryCount += 1
        case .endDelivery:
            if deliveries.popLast() != nil, policy.isExclusive { perform(state.endDelivery()) }
        case .advance(let seconds):
            // The thread that calls a start has returned from it.
            while let entry = state.next() { start(entry) }
            for _ in 0..<seconds {
                now += 1
                fireIfDue()
            }
            expectNothingIsOverdue()
        case .advanceWithoutTimers(let seconds): now += seconds
        case .beginTurn: isInTurn = true
        case .endTurn:
            isInTurn = false
            if let entry = decided.take() { start(entry) }
            fireIfDue()
        case .fireStoppedTimer(let choice):
            if stoppedTimers.isEmpty { return }
            let before = works.map(\.phase)
            perform(state.fire(stoppedTimers[choice % stoppedTimers.count], at: .seconds(now)), mayStart: false)
            #expect(state.fail(stoppedTimers[choice % stoppedTimers.count]) == nil)
            #expect(works.map(\.phase) == before)
        case .flush:
            let hadTimer = timer != nil
            if hadTimer { lastSubmission = lastSubmission.map { min($0, now - interval) } }
            isFlushing = true
            perform(state.flush(at: .seconds(now)))
            isFlushing = false
            flushCount += hadTimer ? 1 : 0
            #expect(timer == nil && (isOccupied || !hadTimer || !has { $0 == .waiting }))
        case .breakClock:
            guard let timer = timer?.work, let instructions = state.fail(timer) else { return #expect(timer == nil) }
            self.timer = nil
            stoppedTimers.append(timer)
            perform(instructions)
            #expect(!has { $0 == .waiting })
        case .close:
            (isClosed, mayReplace) = (true, true)
            perform(state.close())
            #expect(timer == nil && !has { $0 == .running || $0 == .waiting })
        }
        mayReplace = false
        expectExclusivity()
        expectIsLikeNew()
        // A result that waits is void from the decision on, also if its work finishes before it is cancelled.
        #expect(deliveries.allSatisfy { $0.flag.isCancelled == $0.isVoid })
    }

    /// Lets all works end, with or without closing.
    mutating func endAll(closes: Bool) {
        handle(.endTurn)
        while let entry = state.next() { start(entry) }
        while !deliveries.isEmpty { handle(.endDelivery) }
        if closes { handle(.close) }
        for _ in 0...2 * works.count {
            handle(.advance(interval))
            handle(.finish(0))
        }
    }

    // MARK: - Events

    private mutating func submit(nested: Bool, ago: Int) {
        // Of the timed policies, only debounce is exact if threads submit in another order than they read the clock.
        let time = policy.replacesLate ? now - ago : now
        let before = works
        if policy.isDebounce, !isClosed {
            if !before.contains(where: { $0.phase == .waiting }) { firstSubmission = time }
            lastSubmission = max(lastSubmission ?? time, time)
        }
        works.append(Entry())
        let index = works.count - 1
        mayReplace = policy.isLatest
        let isBlocked = nested || !deliveries.isEmpty
        let isInInterval = isInInterval(lastStart)
        perform(
            state.submit(works[index].item, index, at: .seconds(time), mayStart: !nested), mayStart: !nested)
        let phase = works[index].phase
        let isBusy = before.contains { $0.phase == .waiting || $0.phase == .running && !$0.item.isCancelled }
        let isOneWaiting = before.contains { $0.phase == .waiting }
        switch policy {
        case _ where isClosed: #expect(phase == .dropped)
        case .concurrent: #expect(phase == .running)
        case .limited: #expect(phase == .running || phase == .waiting)
        case .latest:
            #expect(phase == .running || phase == .waiting && isBlocked)
            #expect(!works.dropLast().contains { $0.phase == .running || $0.phase == .waiting })
        case .first: #expect((phase == .dropped) == isBusy)
        case .debounce:
            #expect(phase == .waiting || !policy.replacesLate && !isDebouncing && !isBlocked)
        case .throttle(_, let latest, _):
            let isDue = !isOneWaiting && !isInInterval
            #expect(phase == (isDue && !nested ? .running : isOneWaiting && !latest ? .dropped : .waiting))
            if isDue, nested { (works[index].isDecided, lastStart) = (true, now) }
        }
        if policy.keepsOneWaiting, !isClosed { #expect(works.count { $0.phase == .waiting } <= 1) }
        if policy.keepsNewest, !isClosed { #expect(phase != .dropped) }
    }

    private mutating func cancel(_ index: Int) {
        works[index].item.cancel()
        guard let number = works[index].number else { return }
        let wasWaiting = works[index].phase == .waiting
        perform(state.cancel(number))
        if wasWaiting { #expect(works[index].phase == .dropped) }
    }

    private mutating func fireIfDue() {
        guard let (work, deadline) = timer, now >= deadline, !isInTurn || !decidesInTurn else { return }
        timer = nil
        mayReplace = policy.replacesLate && !isDebouncing
        perform(state.fire(work, at: .seconds(now)))
        if timer == nil { stoppedTimers.append(work) }
        mayReplace = false
    }

    // MARK: - Instructions

    private mutating func perform(_ instructions: PolicyState<Int>.Instructions, mayStart: Bool = true) {
        if mayReplace { for index in deliveries.indices { deliveries[index].isVoid = true } }
        for item in instructions.replaced + instructions.cancelled {
            if item === timer?.work {
                stoppedTimers.append(item)
                timer = nil
            } else {
                change(works.firstIndex { $0.item === item }, from: [.running], to: .replaced)
                #expect(mayReplace)
                // The state has replaced it already, although its owner has not cancelled it yet.
                let flag = state.beginDelivery(item)
                #expect(flag == nil)
            }
            item.cancel()
        }
        #expect(instructions.dropped.map(\.start) == instructions.dropped.map(\.start).sorted())
        for entry in instructions.dropped {
            change(entry.start, from: [.submitted, .waiting], to: .dropped)
            entry.work.drop()
        }
        if let item = instructions.finished {
            change(works.firstIndex { $0.item === item }, from: [.running, .replaced], to: .finished)
            item.end()
        }
        if let (work, deadline) = instructions.timer {
            #expect(timer == nil && policy.isTimed && !isClosed)
            timer = (work, Int(deadline.components.seconds))
        }
        if let number = instructions.waiting {
            works[works.count - 1].number = number
            change(works.count - 1, from: [.submitted], to: .waiting)
            #expect(instructions.delay == .seconds(timer.map { max(0, $0.deadline - now) } ?? 0) || policy.isDebounce)
        }
        guard mayStart else { return #expect(instructions.start == nil) }
        var next = instructions.start ?? state.next()
        while let entry = next {
            if isInTurn, !decidesInTurn, instructions.start == nil { decided = entry } else { start(entry) }
            next = state.next()
        }
        // Only the clock, another work or a delivery prevents a work from starting.
        #expect(!has { $0 == .waiting } || timer != nil || isOccupied)
    }

    private mutating func start(_ entry: PolicyState<Int>.Entry) {
        #expect(!isClosed && !entry.work.isCancelled && entry.work === works[entry.start].item)
        #expect(!isOccupied)
        if !policy.isConcurrent { #expect(!works[entry.start...].dropFirst().contains { $0.hasStarted }) }
        switch policy {
        case .concurrent: break
        case .limited, .first: #expect(!works[..<entry.start].contains { $0.phase == .waiting })
        case .latest, .debounce: break
        case .throttle: #expect(works[entry.start].isDecided || isFlushing || !isInInterval(lastStart))
        }
        if policy.keepsNewest { #expect(!works[entry.start...].dropFirst().contains { $0.phase != .dropped }) }
        if policy.isDebounce { #expect(!isDebouncing) }
        change(entry.start, from: [.submitted, .waiting], to: .running)
        if !works[entry.start].isDecided { lastStart = now }
        startCount += 1
    }

    private mutating func change(_ index: Int?, from old: Set<Phase>, to new: Phase) {
        guard let index else { return #expect(Bool(false), "An instruction concerns no work.") }
        #expect(old.contains(works[index].phase), "\(works[index].phase) to \(new)")
        works[index].phase = new
    }

    // MARK: - Rules

    /// Whether a running work or a delivery prevents works from starting.
    private var isOccupied: Bool {
        policy.limit.map { runningCount >= $0 || policy.isExclusive && !deliveries.isEmpty } ?? false
    }

    private var runningCount: Int { works.count { $0.phase == .running } }

    private func isInInterval(_ time: Int?) -> Bool { time.map { now < $0 + interval } ?? false }

    /// Whether a debounce still waits for a pause.
    private var isDebouncing: Bool {
        guard let firstSubmission, isInInterval(lastSubmission) else { return false }
        return policy.replacesLate || now < firstSubmission + 2 * interval
    }

    private func expectExclusivity() {
        if let limit = policy.limit { #expect(runningCount <= limit) }
    }

    private mutating func expectIsLikeNew() {
        let isIdle = !has { $0 == .running || $0 == .waiting }
        #expect(state.isIdle == isIdle)
        let isInInterval = policy.isDebounce ? isDebouncing : policy.isThrottle && isInInterval(lastStart)
        let isLikeNew = state.isLikeNew(at: .seconds(now))
        let isDelivering = deliveries.contains { policy.isExclusive || !$0.isVoid }
        #expect(isLikeNew == (isIdle && !isDelivering && !isInInterval))
    }

    /// Called when the timers have fired in time.
    private func expectNothingIsOverdue() {
        guard policy.isTimed, !isInTurn, !isOccupied, has({ $0 == .waiting }) else { return }
        #expect(policy.isDebounce ? isDebouncing : isInInterval(lastStart))
    }

    private func choose(_ choice: Int, where isIncluded: (Phase) -> Bool) -> Int? {
        let indices = works.indices.filter { isIncluded(works[$0].phase) }
        return indices.isEmpty ? nil : indices[choice % indices.count]
    }
}

extension Policy.Kind {
    var limit: Int? { if case .limited(let limit, _) = self { limit } else { isConcurrent || isThrottle ? nil : 1 } }
    var isExclusive: Bool { limit == 1 }
    var isTimed: Bool { isDebounce || isThrottle }
    var isQueuedLatest: Bool { if case .limited(_, latest: true) = self { true } else { false } }
    var keepsOneWaiting: Bool { isTimed || isQueuedLatest || isLatest }
    /// Whether the newest work always starts, unless it is cancelled.
    var keepsNewest: Bool { isQueuedLatest || isLatest || isDebounce }
    var isConcurrent: Bool { if case .concurrent = self { true } else { false } }
    var isLatest: Bool { if case .latest = self { true } else { false } }
    var isDebounce: Bool { if case .debounce = self { true } else { false } }
    var replacesLate: Bool { if case .debounce(_, atMost: nil, _) = self { true } else { false } }
    var isThrottle: Bool { if case .throttle = self { true } else { false } }
}
