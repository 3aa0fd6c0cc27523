package import FunctionalCore

/// The state machine of a policy. It decides when each submitted work starts, and which works are cancelled or dropped.
///
/// The state machine has no lock, clock or thread. Each event is a mutating function that returns instructions for the
/// owner. An event that depends on the time receives it as an argument. After each event, the owner calls `next()` and
/// starts the returned work, unless the owner must not start a work now.
///
/// A `Start` is the value that the owner needs to start a work. It is kept only until the work starts.
package struct PolicyState<Start> {
    package struct Entry {
        package let work: WorkItem
        package let start: Start
    }

    /// Instructions for the owner after an event. The owner performs them in the order of the properties, except that
    /// `waiting` comes first. Most of them run user code.
    package struct Instructions {
        /// Cancel these works: newer work has replaced them.
        package var replaced: [WorkItem] = []
        /// Cancel these works: timers, and the works of a queue that is closed.
        package var cancelled: [WorkItem] = []
        /// Cancel and finish these works, which never start.
        package var dropped: [Entry] = []
        /// Finish this work, which has ended.
        package var finished: WorkItem?
        /// Call `fire(_:at:)` with this timer at the deadline, or `fail(_:)` if the clock throws.
        package var timer: (WorkItem, deadline: Duration)?
        /// Start this work.
        package var start: Entry?
        /// The submitted work waits under this number. Call `cancel(_:)` with it when the work is cancelled.
        package var waiting: Int?
        /// How long the submitted work waits for the clock, if no newer work replaces it.
        package var delay = Duration.zero
    }

    private let policy: Policy.Kind
    private var running: [ObjectIdentifier: WorkItem] = [:]
    // By number, in the order of submission. The number of each waiting work is at least `firstNumber`.
    private var waiting: [Int: Entry] = [:]
    private var firstNumber = 0
    private var nextNumber = 0
    private var deliveryCount = 0
    // The timer, or `nil` if no work waits for the deadline.
    private var timer: WorkItem?
    // The end of the quiet interval (debounce), or of the interval in which no further work starts (throttle).
    private var deadline = Duration.zero
    private var isClosed = false

    package init(_ policy: Policy.Kind) {
        self.policy = policy
    }

    /// Whether no work runs or waits.
    package var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    /// Returns whether this state behaves like a new state from `now` on.
    package func isLikeNew(at now: Duration) -> Bool {
        isIdle && deliveryCount == 0 && now >= deadline
    }
}

// MARK: - Events

extension PolicyState {
    /// Submits a work. If `mayStart` is `false`, the work waits at least until the owner calls `next()`.
    package mutating func submit(_ work: WorkItem, _ start: Start, at now: Duration, mayStart: Bool) -> Instructions {
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

    /// Returns the first waiting work if it can start now, and counts it as running. Returns `nil` if no work can
    /// start.
    package mutating func next() -> Entry? {
        guard canStart, !waiting.isEmpty else { return nil }
        while true {
            // Skips the numbers of cancelled works, each once.
            defer { firstNumber += 1 }
            if let entry = waiting.removeValue(forKey: firstNumber) { return run(entry) }
        }
    }

    /// Begins a delivery if `work` is running, and is neither cancelled nor replaced. Returns whether the delivery
    /// begins.
    ///
    /// Under an exclusive policy, no work starts until `endDelivery()`. So a result of older work never arrives after a
    /// result of newer work.
    package mutating func beginDelivery(_ work: WorkItem) -> Bool {
        guard running[ObjectIdentifier(work)] != nil, !work.isCancelled else { return false }
        deliveryCount += 1
        return true
    }

    package mutating func endDelivery() -> Instructions {
        deliveryCount -= 1
        return Instructions()
    }

    /// Ends a work that has started.
    package mutating func finish(_ work: WorkItem) -> Instructions {
        running[ObjectIdentifier(work)] = nil
        return Instructions(finished: work)
    }

    /// Removes a cancelled work if it still waits. O(1).
    package mutating func cancel(_ number: Int) -> Instructions {
        guard let entry = waiting.removeValue(forKey: number) else { return Instructions() }
        return Instructions(cancelled: waiting.isEmpty ? takeTimer() : [], dropped: [entry])
    }

    /// Handles the end of a timer's wait. If the deadline has moved, the timer waits again.
    package mutating func fire(_ timer: WorkItem, at now: Duration) -> Instructions {
        guard timer === self.timer else { return Instructions() }
        if now < deadline { return Instructions(timer: (timer, deadline)) }
        self.timer = nil
        guard case .throttle(let interval, _, _) = policy else { return Instructions(replaced: takeRunning()) }
        deadline = now + interval
        return Instructions()
    }

    /// Drops the waiting works, because the clock has failed. Returns `nil` if the timer was stopped before.
    package mutating func fail(_ timer: WorkItem) -> Instructions? {
        guard timer === self.timer else { return nil }
        self.timer = nil
        return Instructions(dropped: takeWaiting())
    }

    /// Cancels all works. Works that are submitted later are dropped.
    package mutating func close() -> Instructions {
        isClosed = true
        return Instructions(cancelled: takeRunning() + takeTimer(), dropped: takeWaiting())
    }
}

// MARK: - Policies

extension PolicyState {
    private var canStart: Bool {
        timer == nil && (!policy.isExclusive || running.isEmpty && deliveryCount == 0)
    }

    /// Prepares for a submitted work. Returns `false` if the policy drops the work.
    private mutating func admits(at now: Duration, _ instructions: inout Instructions) -> Bool {
        switch policy {
        case .concurrent, .queued:
            return true
        case .latest:
            instructions.replaced = takeRunning()
            instructions.dropped = takeWaiting()
            return true
        case .first:
            // A cancelled work that is unwinding does not count.
            return waiting.isEmpty && running.values.allSatisfy(\.isCancelled)
        case .debounce(let interval, _):
            // If two threads submit works, the thread that reads the clock first may submit its work last.
            deadline = max(deadline, now + interval)
        case .throttle(let interval, let latest, _):
            if waiting.isEmpty, now >= deadline {
                deadline = now + interval
                return true
            }
            if !latest, !waiting.isEmpty { return false }
        }
        instructions.dropped = takeWaiting()
        if timer == nil {
            let timer = WorkItem()
            self.timer = timer
            instructions.timer = (timer, deadline)
        }
        return true
    }

    private mutating func run(_ entry: Entry) -> Entry {
        running[ObjectIdentifier(entry.work)] = entry.work
        return entry
    }

    private mutating func takeRunning() -> [WorkItem] {
        defer { running.removeAll(keepingCapacity: true) }
        return running.isEmpty ? [] : Array(running.values)
    }

    private mutating func takeWaiting() -> [Entry] {
        defer {
            waiting.removeAll(keepingCapacity: true)
            firstNumber = nextNumber
        }
        return waiting.isEmpty ? [] : waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func takeTimer() -> [WorkItem] {
        defer { timer = nil }
        return timer.map { [$0] } ?? []
    }
}

extension Policy.Kind {
    var isConcurrent: Bool { if case .concurrent = self { true } else { false } }

    /// Whether at most one work runs at a time, so that other works wait for it or replace it.
    var isExclusive: Bool {
        switch self {
        case .concurrent, .throttle: false
        case .queued, .latest, .first, .debounce: true
        }
    }
}
