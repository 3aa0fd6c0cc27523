/// A value that is there later: written once, and waited for by any number of tasks.
///
/// ```swift
/// let answer = Deferred<String>()
/// async let greeting = "Hello, \(try await answer.value)"
/// answer.complete("Ada")
/// ```
///
/// Any thread. To wait and to stop waiting cost the same however many wait, and to complete costs as much as there are
/// tasks that wait. They go on in the order in which they came, each where it runs.
public final class Deferred<Value: Sendable>: Sendable {
    private let state = Ref(State())

    /// One without a value.
    public init() {}

    /// Gives it its value, and lets those who wait for that go on. Returns at once.
    ///
    /// - Returns: `false` when it already had a value, which it keeps.
    @discardableResult
    public func complete(_ value: Value) -> Bool {
        let waiters: Waiters? = state.modify { state in
            guard state.value == nil else { return nil }
            state.value = .some(value)
            defer { state.waiters = Waiters() }
            return state.waiters
        }
        guard var waiters else { return false }
        while let waiter = waiters.first {
            waiters.remove(waiter)
            waiter.continuation?.resume(returning: value)
        }
        return true
    }

    /// The value, if it is there.
    public var current: Value? {
        state.modify { $0.value }
    }

    /// The value, as soon as it is there. In the caller's isolation; where it is there already nothing suspends.
    ///
    /// - Throws: `CancellationError`, at once, when the task is or becomes cancelled before the value is there. It does
    ///   not wait any longer then, and nothing of it is kept.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            if let value = current { return value }
            let waiter = Waiter()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait(waiter, $0) }
            } onCancel: {
                stopWaiting(waiter)
            }
        }
    }

    /// How many tasks wait.
    package var waiterCount: Int {
        state.modify { $0.waiters.count }
    }
}

// MARK: - Waiting

extension Deferred {
    private typealias Continuation = CheckedContinuation<Value, any Error>

    private struct State: Sendable {
        var value: Value?
        var waiters = Waiters()
    }

    /// A task that waits, between the one that came before it and the one that came after.
    ///
    /// Unchecked: touched while its list is locked alone, or by who took it out of there.
    private final class Waiter: @unchecked Sendable {
        var continuation: Continuation?
        var isCancelled = false
        var previous: Waiter?
        var next: Waiter?
    }

    /// A list from whose middle one is taken as easily as from its ends.
    private struct Waiters: Sendable {
        private(set) var first: Waiter?
        private(set) var last: Waiter?
        private(set) var count = 0

        mutating func append(_ waiter: Waiter) {
            waiter.previous = last
            last?.next = waiter
            last = waiter
            first = first ?? waiter
            count += 1
        }

        mutating func remove(_ waiter: Waiter) {
            if let previous = waiter.previous { previous.next = waiter.next } else { first = waiter.next }
            if let next = waiter.next { next.previous = waiter.previous } else { last = waiter.previous }
            waiter.previous = nil
            waiter.next = nil
            count -= 1
        }
    }

    private func wait(_ waiter: Waiter, _ continuation: Continuation) {
        // Since it was looked at, the value may have come, or the task may have been cancelled.
        let end: Result<Value, any Error>? = state.modify { state in
            if let value = state.value { return .success(value) }
            if waiter.isCancelled { return .failure(CancellationError()) }
            waiter.continuation = continuation
            state.waiters.append(waiter)
            return nil
        }
        if let end { continuation.resume(with: end) }
    }

    private func stopWaiting(_ waiter: Waiter) {
        let continuation: Continuation? = state.modify { state in
            waiter.isCancelled = true
            guard state.value == nil, let continuation = waiter.continuation else { return nil }
            state.waiters.remove(waiter)
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}

// MARK: - As a program

extension EnvIO where Value: Sendable {
    /// The program that ends in the value of `deferred`, as soon as that is there. Where it is there already the
    /// program does not wait; a run that is cancelled stops waiting at once.
    public static func value(of deferred: Deferred<Value>) -> EnvIO {
        EnvIO(
            form: .node(
                Node { machine in
                    if let value = deferred.current {
                        machine.put(value)
                        return .value
                    }
                    return EnvIO.waitingForValue(of: deferred).enter(&machine)
                }
            )
        )
    }

    private static func waitingForValue(of deferred: Deferred<Value>) -> EnvIO {
        EnvIO(waiting: { _, register in
            do {
                register.put(try await deferred.value)
                return .value
            } catch {
                return .cancelled
            }
        })
    }
}
