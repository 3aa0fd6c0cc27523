import Cores
import Foundation

/// A body that is measured, and how many operations one call of it does.
///
/// Bodies contain their own loops, so that an operation is not measured with the call of a closure around it.
final class Subject: @unchecked Sendable {
    // Unchecked: one subject is measured at a time, by one task.
    private enum Body {
        /// Measured by the core time of its thread.
        case sync(() -> Void)
        /// Measured on one core, by the core time of the process.
        case waiting(() async -> Void)
        /// Measured on all cores, by the clock.
        case parallel(() async -> Void)
    }

    let name: String
    let operations: Int
    /// Whether it fragments the heap, so that later allocations are slower.
    let isLarge: Bool
    private let body: Body
    private var check: () -> Bool = { true }
    private var calls = 1
    /// The nanoseconds of an operation in each pass.
    private(set) var passes: [Double] = []

    init(_ name: String, operations: Int = 1_000, isLarge: Bool = false, _ body: @escaping () -> Void) {
        self.name = name
        self.operations = operations
        self.isLarge = isLarge
        self.body = .sync(body)
    }

    init(waiting name: String, operations: Int = 1_000, _ body: @escaping () async -> Void) {
        self.name = name
        self.operations = operations
        isLarge = false
        self.body = .waiting(body)
    }

    init(onAllCores name: String, operations: Int, _ body: @escaping () async -> Void) {
        self.name = name
        self.operations = operations
        isLarge = false
        self.body = .parallel(body)
    }

    /// A subject whose body must return `expected` in each call, and not throw.
    convenience init<Value: Equatable>(
        _ name: String, operations: Int = 1_000, expecting expected: Value, _ body: @escaping () throws -> Value
    ) {
        var isRight = true
        self.init(name, operations: operations) {
            if (try? body()) != expected { isRight = false }
        }
        check = { isRight }
    }

    /// The same with tasks.
    convenience init<Value: Equatable>(
        waiting name: String, operations: Int = 1_000, expecting expected: Value,
        _ body: @escaping () async throws -> Value
    ) {
        var isRight = true
        self.init(waiting: name, operations: operations) {
            if (try? await body()) != expected { isRight = false }
        }
        check = { isRight }
    }

    /// The same subject, which must have done what `check` tests.
    func checked(_ check: @escaping () -> Bool) -> Subject {
        let before = self.check
        self.check = { before() && check() }
        return self
    }

    var isRight: Bool { check() }

    /// Whether the body runs on one thread.
    var isSync: Bool {
        if case .sync = body { true } else { false }
    }

    /// The nanoseconds of an operation. Passes with tasks may be fast by luck, so it is not always the fastest pass.
    var nanoseconds: Double {
        let rank =
            switch body {
            case .sync: 0
            case .waiting: passes.count / 4
            case .parallel: passes.count / 2
            }
        return passes.sorted().dropFirst(rank).first ?? .infinity
    }

    /// Runs the body until caches are filled, and computes how many calls fit into one pass.
    func warmUp() async {
        var elapsed = Duration.zero
        var calls = 0
        while elapsed < .milliseconds(20) || calls < 2 {
            elapsed += await time(calls: 1)
            calls += 1
        }
        self.calls = max(1, Int(Double(calls) * (Self.pass / elapsed)))
    }

    /// Calls the body once, if it runs on one thread.
    func call() {
        if case .sync(let body) = body { body() }
    }

    /// Measures one pass.
    func pass() async -> Duration {
        let elapsed = await time(calls: calls)
        passes.append(elapsed / .nanoseconds(calls) / Double(operations))
        return elapsed
    }

    /// Long enough for the clock, and short enough to find a moment without interruption.
    private static let pass = Duration.milliseconds(5)

    // Core time does not include the time in which another process has the core.
    private func time(calls: Int) async -> Duration {
        switch body {
        case .sync(let body):
            let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
            for _ in 0..<calls { body() }
            return .nanoseconds(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start)
        case .waiting(let body):
            let clock = cores_use_one() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC
            return await time(calls, of: body, by: clock)
        case .parallel(let body):
            cores_use_all()
            return await time(calls, of: body, by: CLOCK_MONOTONIC)
        }
    }

    private func time(_ calls: Int, of body: () async -> Void, by clock: clockid_t) async -> Duration {
        let start = nanoseconds(of: clock)
        for _ in 0..<calls { await body() }
        return .nanoseconds(nanoseconds(of: clock) - start)
    }

    private func nanoseconds(of clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
