package import FunctionalCore

/// The works of one kind, of which a policy says when each starts, and whether it does.
///
/// Whatever the policy, no thread waits for another here, and nothing but what a lane knows by itself is called under
/// its lock. Starting is a loop and not a recursion: works that finish within their start, and ask for the next in it,
/// need no stack.
///
/// Unchecked: what changes is touched under the lock alone.
package final class Lane: @unchecked Sendable {
    private let policy: Policy.Kind
    private let executor: (any TaskExecutor)?
    private let onBrokenClock: @Sendable (any Error) -> Void

    private let lock = Locked()
    private var running: [ObjectIdentifier: WorkItem] = [:]
    private var waiting = Waiting()
    // How many bodies `deliver` is calling.
    private var deliveries = 0
    // The threads that are inside a start: each takes care itself of what can start afterwards.
    private var starters: [UInt] = []
    // Waits for the deadline in a task, while there is something to start then.
    private var timer: WorkItem?
    // Until when it must be quiet (debounce), or nothing more may start (throttle).
    private var deadline = Duration.zero
    private var phase = Phase.open

    private enum Phase { case open, retired, closed }

    /// A lane without works. Its owner closes it, or lets go of it. What waits for a clock does so in a task on
    /// `executor`, and starts there. When the clock throws, what waits for it is dropped, and `onBrokenClock` called in
    /// that task.
    package init(
        _ policy: Policy,
        executor: (any TaskExecutor)? = nil,
        onBrokenClock: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.policy = policy.kind
        self.executor = executor
        self.onBrokenClock = onBrokenClock
    }

    deinit {
        close()
    }

    // MARK: - Works

    /// Has `start` called with a work, on this thread before returning, or when the policy says so, or never. The work
    /// is returned, so that whoever asked can cancel it, or wait for it: also one that does not start is finished, and
    /// then it is cancelled as well.
    ///
    /// What has started ends with `finish(_:)`, also when it was cancelled. The lane is handed to `start` so that it
    /// need not be captured: what waits would keep it alive. For a lane of a collection, ask the collection.
    @discardableResult
    package func submit(_ start: @escaping @Sendable (WorkItem, Lane) -> Void) -> WorkItem {
        guard let work = accept(start) else {
            programmerError("A lane that its collection has let go of was asked for work.")
        }
        return work
    }

    /// Calls `body` unless `work` was cancelled, or has given way to a newer one. Says whether it was called. Only
    /// between the start and the finish of the work.
    ///
    /// Between the decision and the end of `body` nothing starts that takes the place of `work`; so what older work
    /// delivers never comes after something that newer work does. A start that would overlap is put off, and made by
    /// this thread after `body`; if that was called within a start on this thread, then after that. `body` may use the
    /// lane.
    @discardableResult
    package func deliver(_ work: WorkItem, _ body: () -> Void) -> Bool {
        guard isExclusive else {
            if work.isCancelled { return false }
            body()
            return true
        }
        let begins = lock.withLock {
            guard running[ObjectIdentifier(work)] != nil, !work.isCancelled else { return false }
            deliveries += 1
            return true
        }
        guard begins else { return false }
        body()
        let goesOn = lock.withLock {
            deliveries -= 1
            return !waiting.isEmpty
        }
        if goesOn { startWaiting() }
        return true
    }

    /// The work is done: it ended, failed, or has wound down. Those who wait for it go on, and so do works that waited
    /// for its end.
    package func finish(_ work: WorkItem) {
        let goesOn = lock.withLock {
            running[ObjectIdentifier(work)] = nil
            return !waiting.isEmpty
        }
        work.finish()
        if goesOn { startWaiting() }
    }

    /// Whether nothing runs, and nothing waits for its start.
    package var isIdle: Bool {
        lock.withLock { running.isEmpty && waiting.isEmpty }
    }

    /// Cancels what runs and drops what waits; nothing that is asked for later starts. Any thread, any number of times.
    /// A start that is on its way on another thread may still be made, with a work that is cancelled.
    package func close() {
        var aftermath = Aftermath()
        lock.withLock {
            phase = .closed
            replaceRunning(&aftermath)
            dropWaiting(&aftermath)
            stopTimer(&aftermath)
        }
        carryOut(aftermath)
    }

    // MARK: - For collections of lanes

    /// As `submit(_:)`; nil when the lane has been retired, and another must be asked.
    func accept(_ start: @escaping @Sendable (WorkItem, Lane) -> Void) -> WorkItem? {
        let work = WorkItem()
        let now = policy.elapsed
        var aftermath = Aftermath()
        let isAccepted = lock.withLock {
            switch phase {
            case .open: admit(Waiting.Entry(work: work, start: start), now, &aftermath)
            case .closed: aftermath.dropped.append(Waiting.Entry(work: work, start: start))
            case .retired: return false
            }
            return true
        }
        carryOut(aftermath)
        return isAccepted ? work : nil
    }

    /// Makes sure that nothing is accepted any more, if the lane at `now` holds nothing that another would not know.
    /// Says whether it is so.
    func retire(at now: Duration) -> Bool {
        lock.withLock {
            guard running.isEmpty, waiting.isEmpty, deliveries == 0, now >= deadline else { return false }
            phase = .retired
            return true
        }
    }
}

// MARK: - Under the lock

extension Lane {
    /// What is left to do when the lock is free, as it calls code of others.
    private struct Aftermath {
        var replaced: [WorkItem] = []
        var dropped: [Waiting.Entry] = []
        var stoppedTimer: WorkItem?
        var startedTimer: (WorkItem, AnyClock, until: Duration)?
        var begins: Waiting.Entry?
    }

    /// Whether one work at most runs at a time, so that others wait for it, or take its place.
    private var isExclusive: Bool {
        switch policy {
        case .concurrent, .throttle: false
        case .queued, .latest, .first, .debounce: true
        }
    }

    private func admit(_ entry: Waiting.Entry, _ now: Duration, _ aftermath: inout Aftermath) {
        switch policy {
        case .concurrent:
            return begin(entry, &aftermath)
        case .queued:
            beginOrWait(entry, &aftermath)
        case .latest:
            replaceRunning(&aftermath)
            dropWaiting(&aftermath)
            beginOrWait(entry, &aftermath)
        case .first:
            let isBusy = !waiting.isEmpty || running.values.contains { !$0.isCancelled }
            if isBusy { return aftermath.dropped.append(entry) }
            beginOrWait(entry, &aftermath)
        case .debounce(let interval, let stopwatch):
            dropWaiting(&aftermath)
            wait(entry)
            // Of two threads the one that read the clock first may come second.
            deadline = max(deadline, now + interval)
            startTimer(stopwatch, &aftermath)
        case .throttle(let interval, let latest, let stopwatch):
            if waiting.isEmpty, now >= deadline {
                deadline = now + interval
                return begin(entry, &aftermath)
            }
            if !latest, !waiting.isEmpty { return aftermath.dropped.append(entry) }
            dropWaiting(&aftermath)
            wait(entry)
            startTimer(stopwatch, &aftermath)
        }
    }

    private func beginOrWait(_ entry: Waiting.Entry, _ aftermath: inout Aftermath) {
        // Most often nothing is in the way, and then waiting can be spared.
        if canBegin, waiting.isEmpty, !isStartingHere {
            starters.append(CurrentThread.identity)
            begin(entry, &aftermath)
        } else {
            wait(entry)
            beginNext(&aftermath)
        }
    }

    private func wait(_ entry: Waiting.Entry) {
        waiting.append(entry)
        // Nobody else knows the work yet, so that this calls nothing.
        entry.work.onCancel { [weak self] work in self?.takeBack(work) }
    }

    private var isStartingHere: Bool { starters.contains(CurrentThread.identity) }

    private var canBegin: Bool { running.isEmpty && deliveries == 0 && timer == nil }

    /// Begins what waits, if it can start now and this thread is not inside a start, which then sees to it.
    private func beginNext(_ aftermath: inout Aftermath) {
        guard !waiting.isEmpty, !isStartingHere, let entry = next() else { return }
        starters.append(CurrentThread.identity)
        begin(entry, &aftermath)
    }

    private func next() -> Waiting.Entry? {
        canBegin ? waiting.popFirst() : nil
    }

    private func begin(_ entry: Waiting.Entry, _ aftermath: inout Aftermath) {
        running[ObjectIdentifier(entry.work)] = entry.work
        aftermath.begins = entry
    }

    /// From here on nothing of what runs is delivered.
    private func replaceRunning(_ aftermath: inout Aftermath) {
        if running.isEmpty { return }
        aftermath.replaced = Array(running.values)
        running.removeAll()
    }

    private func dropWaiting(_ aftermath: inout Aftermath) {
        aftermath.dropped += waiting.removeAll()
    }

    private func startTimer(_ stopwatch: AnyClock, _ aftermath: inout Aftermath) {
        if timer != nil { return }
        let timer = WorkItem()
        self.timer = timer
        aftermath.startedTimer = (timer, stopwatch, until: deadline)
    }

    private func stopTimer(_ aftermath: inout Aftermath) {
        aftermath.stoppedTimer = timer
        timer = nil
    }
}

// MARK: - Outside of the lock

extension Lane {
    private func carryOut(_ aftermath: Aftermath) {
        for work in aftermath.replaced { work.cancel() }
        for entry in aftermath.dropped {
            entry.work.drop()
        }
        aftermath.stoppedTimer?.cancel()
        if let (timer, stopwatch, deadline) = aftermath.startedTimer { run(timer, stopwatch, until: deadline) }
        if let entry = aftermath.begins { start(entry) }
    }

    private func startWaiting() {
        var aftermath = Aftermath()
        lock.withLock { beginNext(&aftermath) }
        carryOut(aftermath)
    }

    private func start(_ entry: Waiting.Entry) {
        call(entry)
        if !isExclusive { return }
        while let entry = lock.withLock(nextHere) { call(entry) }
    }

    /// What can start after a start on this thread; if nothing can, the thread is inside a start no longer.
    private func nextHere() -> Waiting.Entry? {
        guard let entry = next() else {
            if let index = starters.firstIndex(of: CurrentThread.identity) { starters.remove(at: index) }
            return nil
        }
        running[ObjectIdentifier(entry.work)] = entry.work
        return entry
    }

    private func call(_ entry: Waiting.Entry) {
        // Cancelled on its way here.
        if entry.work.isCancelled { finish(entry.work) } else { entry.start(entry.work, self) }
    }

    /// Takes a work that was cancelled out of those that wait.
    private func takeBack(_ work: WorkItem) {
        var aftermath = Aftermath()
        lock.withLock {
            guard let entry = waiting.remove(work) else { return }
            aftermath.dropped.append(entry)
            if waiting.isEmpty { stopTimer(&aftermath) }
        }
        carryOut(aftermath)
    }

    // MARK: - Time

    private func run(_ timer: WorkItem, _ stopwatch: AnyClock, until deadline: Duration) {
        timer.attach(
            Task(executorPreference: executor) { [weak self] in
                var next: Duration? = deadline
                do {
                    while let deadline = next {
                        try await stopwatch.sleep(until: deadline)
                        next = self?.wake(timer)
                    }
                } catch {
                    // Either nobody waits for the timer any more, or the clock is broken.
                    self?.giveUp(timer, error)
                }
            })
    }

    /// Starts what has waited for the deadline; answers with the deadline when that has moved meanwhile.
    private func wake(_ timer: WorkItem) -> Duration? {
        let now = policy.elapsed
        var aftermath = Aftermath()
        let later: Duration? = lock.withLock {
            guard self.timer === timer else { return nil }
            if now < deadline { return deadline }
            self.timer = nil
            if case .throttle(let interval, _, _) = policy {
                deadline = now + interval
                if let entry = waiting.popFirst() { begin(entry, &aftermath) }
            } else {
                replaceRunning(&aftermath)
                beginNext(&aftermath)
            }
            return nil
        }
        carryOut(aftermath)
        return later
    }

    private func giveUp(_ timer: WorkItem, _ error: any Error) {
        var aftermath = Aftermath()
        let isBroken = lock.withLock {
            guard self.timer === timer else { return false }
            self.timer = nil
            dropWaiting(&aftermath)
            return true
        }
        carryOut(aftermath)
        if isBroken { onBrokenClock(error) }
    }
}
