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
    /// - Complexity: O(n) in the number of waiting tasks.
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
            if let value = current { return value }
            let waiter = Waiter()
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
        var waiters = Waiters()
    }

    /// A waiting task, as an element of a doubly linked list.
    ///
    /// Unchecked: its properties are accessed only while the list is locked, or by the thread that has removed it from
    /// the list.
    private final class Waiter: @unchecked Sendable {
        var continuation: Continuation?
        var isCancelled = false
        var previous: Waiter?
        var next: Waiter?
    }

    /// A doubly linked list, from which any element is removed in constant time.
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
        // Since the check in `value`, the value may have been written, or the task may have been cancelled.
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
    /// Returns a program that succeeds with the value of `deferred`, as soon as it has been written.
    ///
    /// If the value has already been written, the program does not suspend. A run that is cancelled stops waiting
    /// immediately.
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
