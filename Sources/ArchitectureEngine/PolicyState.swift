package import FunctionalCore

/// The state machine of a policy. It decides when each submitted work item starts, and which work items are cancelled
/// or dropped.
///
/// The state machine has no lock, clock or thread. Each event is a mutating function that returns instructions for the
/// owner, a `PolicyQueue`. An event that depends on the time receives the time as an argument. After each event, the
/// owner calls `next()` and starts the returned work item, unless the owner must not start a work item now.
///
/// A `Start` is a value that the owner needs to start a work item. The state machine keeps this value only until the
/// work item starts.
package struct PolicyState<Start> {
    package struct Entry {
        package let work: Work
        package let start: Start
    }

    /// Instructions for the owner after an event. The owner performs them in the order of the properties, except that
    /// `waiting` comes first. Most instructions run code of the user.
    package struct Instructions {
        /// Cancel these work items, because a newer work item replaces them.
        package var replaced: [Work] = []
        /// Cancel these work items: timers, and the running work items of a queue that is closed.
        package var cancelled: [Work] = []
        /// Cancel and finish these work items, which never start.
        package var dropped: [Entry] = []
        /// Finish this work item, which has ended.
        package var finished: Work?
        /// Call `fire(_:at:)` with this timer at the deadline, or `fail(_:)` if the clock throws.
        package var timer: (Work, deadline: Duration)?
        /// Start this work item.
        package var start: Entry?
        /// The submitted work item waits under this number. Call `cancel(_:)` with the number when the work item is
        /// cancelled.
        package var waiting: Int?
        /// The duration that the submitted work item waits for the clock, if no newer work item replaces it.
        package var delay = Duration.zero
    }

    private let policy: Policy.Kind
    // The running work items, with their numbers in the order of their starts.
    private var running: [ObjectIdentifier: (number: Int, work: Work)] = [:]
    private var startCount = 0
    // The waiting work items by number. Numbers are in the order of submission, and are at least `firstNumber`.
    private var waiting: [Int: Entry] = [:]
    private var firstNumber = 0
    private var nextNumber = 0
    private var deliveryCount = 0
    // The flag of the work items that the next replacement or cancellation ends together, including those that have
    // finished. `nil` if none of them has delivered.
    private var generation: Cancellation?
    // The timer, or `nil` if no work item waits for the deadline.
    private var timer: Work?
    // The end of the quiet interval (debounce), or of the interval in which no further work item starts (throttle).
    private var deadline = Duration.zero
    // The end of the longest wait of a debounce that has one, while a work item waits.
    private var lastDeadline = Duration.zero
    private var isClosed = false

    package init(_ policy: Policy.Kind) {
        self.policy = policy
    }

    /// Whether no work item is running or waiting.
    package var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    /// Returns whether this state machine behaves like a new one from `now` on.
    package mutating func isLikeNew(at now: Duration) -> Bool {
        isIdle && deliveryCount == 0 && now >= deadline && !hasWaitingResults
    }

    /// Whether a result of this generation still waits, since it retains the flag.
    private var hasWaitingResults: Bool {
        mutating get { generation != nil && !isKnownUniquelyReferenced(&generation) }
    }
}

// MARK: - Events

extension PolicyState {
    /// Submits a work item. If `mayStart` is `false`, the work item does not start before the owner calls `next()`.
    package mutating func submit(_ work: Work, _ start: Start, at now: Duration, mayStart: Bool) -> Instructions {
        let entry = Entry(work: work, start: start)
        var instructions = Instructions()
        guard !isClosed, admits(at: now, &instructions) else {
            instructions.dropped.append(entry)
            return instructions
        }
        if mayStart, canStart, waiting.isEmpty {
            instructions.start = run(entry)
        } else {
            instructions.waiting = nextNumber
            if timer != nil { instructions.delay = max(.zero, deadline - now) }
            waiting[nextNumber] = entry
            nextNumber += 1
        }
        return instructions
    }

    /// Removes and returns the first waiting work item if it can start now, and counts it as running. Returns `nil` if
    /// no work item can start.
    package mutating func next() -> Entry? {
        guard canStart, !waiting.isEmpty else { return nil }
        while true {
            // The numbers of cancelled work items are skipped, each one once.
            defer { firstNumber += 1 }
            if let entry = waiting.removeValue(forKey: firstNumber) { return run(entry) }
        }
    }

    /// Begins a delivery, unless `work` is cancelled or replaced, or has finished under an exclusive policy. Returns
    /// `nil` if the delivery does not begin. Otherwise returns a flag for a result that waits: it is cancelled when
    /// `work` is cancelled or replaced, even if `work` has finished before.
    ///
    /// Under an exclusive policy, no work item starts until `endDelivery()` is called. So a result of an older work
    /// item never arrives after a result of a newer one.
    package mutating func beginDelivery(_ work: Work) -> Cancellation? {
        let mayDeliver = policy.isExclusive ? running[ObjectIdentifier(work)] != nil : !isClosed
        guard mayDeliver, !work.isCancelled else { return nil }
        if policy.isExclusive { deliveryCount += 1 }
        let generation = generation ?? Cancellation()
        self.generation = generation
        return generation
    }

    /// Ends a delivery of an exclusive policy.
    package mutating func endDelivery() -> Instructions {
        deliveryCount -= 1
        return Instructions()
    }

    /// Ends a work item that has started.
    package mutating func finish(_ work: Work) -> Instructions {
        running[ObjectIdentifier(work)] = nil
        return Instructions(finished: work)
    }

    /// Makes the place of a work item free, whose cancellation may still be under way. Its end changes nothing more.
    package mutating func release(_ work: Work) -> Instructions {
        running[ObjectIdentifier(work)] = nil
        return Instructions()
    }

    /// Removes the work item with this number, which was cancelled, if it still waits. O(1).
    package mutating func cancel(_ number: Int) -> Instructions {
        guard let entry = waiting.removeValue(forKey: number) else { return Instructions() }
        return Instructions(cancelled: waiting.isEmpty ? takeTimer() : [], dropped: [entry])
    }

    /// Handles the end of the wait of `timer`. If the deadline has moved, instructs the owner to let the timer wait
    /// again.
    package mutating func fire(_ timer: Work, at now: Duration) -> Instructions {
        guard timer === self.timer else { return Instructions() }
        if now < deadline { return Instructions(timer: (timer, deadline)) }
        _ = endWait(at: now)
        guard case .debounce(_, atMost: nil, _) = policy else { return Instructions() }
        return Instructions(replaced: takeRunning())
    }

    /// Ends the wait for the clock. The waiting work item may start as soon as the running one has ended. Even a
    /// debounce does not replace the running one.
    package mutating func flush(at now: Duration) -> Instructions {
        timer == nil ? Instructions() : Instructions(cancelled: endWait(at: now))
    }

    /// Drops the waiting work items, because the clock has failed. Returns `nil` if `timer` is no longer the current
    /// timer.
    package mutating func fail(_ timer: Work) -> Instructions? {
        guard timer === self.timer else { return nil }
        self.timer = nil
        return Instructions(dropped: takeWaiting())
    }

    /// Cancels the running work items, and drops the waiting ones. Work items that are submitted later are dropped.
    package mutating func close() -> Instructions {
        isClosed = true
        return Instructions(cancelled: takeRunning() + takeTimer(), dropped: takeWaiting())
    }
}

// MARK: - Policies

extension PolicyState {
    private var canStart: Bool {
        if timer != nil { return false }
        guard let limit = policy.limit else { return true }
        return running.count < limit && (limit > 1 || deliveryCount == 0)
    }

    /// Prepares the state for a submitted work item. Returns `false` if the policy drops the work item.
    private mutating func admits(at now: Duration, _ instructions: inout Instructions) -> Bool {
        switch policy {
        case .concurrent:
            return true
        case .limited(_, let latest):
            if latest { instructions.dropped = takeWaiting() }
            return true
        case .latest:
            instructions.replaced = takeRunning()
            instructions.dropped = takeWaiting()
            return true
        case .first:
            // A cancelled work item that has not ended yet does not count.
            return waiting.isEmpty && running.values.allSatisfy(\.work.isCancelled)
        case .debounce(let interval, let longest, _):
            // If two threads submit work items, the thread that reads the clock first may submit its work item last.
            deadline = max(deadline, now + interval)
            guard let longest else { break }
            if waiting.isEmpty { lastDeadline = now + longest }
            deadline = min(deadline, lastDeadline)
            if timer == nil, deadline <= now {
                instructions.dropped = takeWaiting()
                return true
            }
        case .throttle(let interval, let latest, _):
            if waiting.isEmpty, now >= deadline {
                deadline = now + interval
                return true
            }
            if !latest, !waiting.isEmpty { return false }
        }
        instructions.dropped = takeWaiting()
        if timer == nil {
            let timer = Work()
            self.timer = timer
            instructions.timer = (timer, deadline)
        }
        return true
    }

    private mutating func run(_ entry: Entry) -> Entry {
        startCount += 1
        running[ObjectIdentifier(entry.work)] = (startCount, entry.work)
        return entry
    }

    private mutating func takeRunning() -> [Work] {
        generation.take()?.cancel()
        defer { running.removeAll(keepingCapacity: true) }
        if running.count < 2 { return running.values.map(\.work) }
        return running.values.sorted { $0.number < $1.number }.map(\.work)
    }

    private mutating func takeWaiting() -> [Entry] {
        defer {
            waiting.removeAll(keepingCapacity: true)
            firstNumber = nextNumber
        }
        return waiting.isEmpty ? [] : waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Ends the wait for the deadline, and returns the timer.
    private mutating func endWait(at now: Duration) -> [Work] {
        // After a flush, the queue behaves like a new one, except that a throttle begins another interval.
        deadline = min(deadline, now)
        if case .throttle(let interval, _, _) = policy { deadline = now + interval }
        return takeTimer()
    }

    private mutating func takeTimer() -> [Work] {
        defer { timer = nil }
        return timer.map { [$0] } ?? []
    }
}

extension Policy.Kind {
    var isConcurrent: Bool { if case .concurrent = self { true } else { false } }

    /// The greatest number of work items that run at a time and are not cancelled, or `nil` if the policy has none.
    var limit: Int? {
        switch self {
        case .concurrent, .throttle: nil
        case .limited(let limit, _): limit
        case .latest, .first, .debounce: 1
        }
    }

    /// Whether at most one work item that is not cancelled runs at a time. A further work item waits, replaces the
    /// running one, or is dropped.
    var isExclusive: Bool { limit == 1 }
}
