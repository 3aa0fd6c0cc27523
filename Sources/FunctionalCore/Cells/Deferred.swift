/// A value that is written once, and that any number of tasks can await.
///
/// ```swift
/// let answer = Deferred<String>()
/// async let greeting = "Hello, \(try await answer.value)"
/// answer.complete("Ada")
/// ```
///
/// Thread-safe. Tasks are resumed in the order in which they began to wait, each on its own executor.
public final class Deferred<Value: Sendable>: Sendable {
    private let state = Ref(State())

    /// Creates a deferred value that has not been written.
    public init() {}

    /// Writes the value and resumes the tasks that await it.
    ///
    /// The call does not wait for the resumed tasks. If a value has already been written, the call changes nothing.
    ///
    /// - Returns: Whether `value` was written.
    /// - Complexity: O(n log n) in the number of waiting tasks.
    @discardableResult
    public func complete(_ value: Value) -> Bool {
        let waiters: [Int: Continuation]? = state.modify { state in
            guard state.value == nil else { return nil }
            state.value = .some(value)
            defer { state.waiters = [:] }
            return state.waiters
        }
        guard let waiters else { return false }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume(returning: value) }
        return true
    }

    /// The value, or `nil` if it has not been written.
    public var current: Value? {
        state.modify { $0.value }
    }

    /// The value, as soon as it has been written.
    ///
    /// The getter runs in the caller's isolation. It does not suspend if the value has already been written.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the value has been written. The getter then throws
    ///   immediately and stops waiting.
    /// - Complexity: O(1) to begin and to stop waiting, however many tasks wait.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            let (value, waiter) = state.modify { state in
                state.lastWaiter += 1
                return (state.value, state.lastWaiter)
            }
            if let value { return value }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait(waiter, $0) }
            } onCancel: {
                stopWaiting(waiter)
            }
        }
    }

    /// The number of waiting tasks.
    package var waiterCount: Int {
        state.modify { $0.waiters.count }
    }
}

// MARK: - Waiting

extension Deferred {
    private typealias Continuation = CheckedContinuation<Value, any Error>

    private struct State: Sendable {
        var value: Value?
        /// The waiting tasks, by their numbers. Tasks that began to wait earlier have smaller numbers.
        var waiters: [Int: Continuation] = [:]
        /// The number of the last task that asked for the value.
        var lastWaiter = 0
    }

    private func wait(_ waiter: Int, _ continuation: Continuation) {
        // Since the check in `value`, the value may have been written, or the task may have been cancelled. A task is
        // marked as cancelled before `stopWaiting` is called, so one of the two calls observes the other.
        let end: Result<Value, any Error>? = state.modify { state in
            if let value = state.value { return .success(value) }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[waiter] = continuation
            return nil
        }
        if let end { continuation.resume(with: end) }
    }

    private func stopWaiting(_ waiter: Int) {
        let continuation = state.modify { $0.waiters.removeValue(forKey: waiter) }
        continuation?.resume(throwing: CancellationError())
    }
}

// MARK: - As a program

extension EnvIO where Value: Sendable {
    /// Returns a program that succeeds with the value of `deferred`, as soon as it has been written.
    ///
    /// If the value has already been written, the program does not suspend. A run that is cancelled stops waiting
    /// immediately.
    public static func value(of deferred: Deferred<Value>) -> EnvIO {
        .step { machine in
            if let value = deferred.current {
                machine.put(value)
                return .value
            }
            if machine.isCancelled { return .cancelled }
            machine.core.wait = { _, register in
                do {
                    register.put(try await deferred.value)
                    return .value
                } catch {
                    return .cancelled
                }
            }
            return .suspend
        }
    }
}
