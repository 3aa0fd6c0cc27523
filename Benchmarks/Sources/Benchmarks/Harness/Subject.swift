import Foundation

/// Something that is measured: a body that does a number of operations.
///
/// Bodies loop themselves, so that an operation is not measured with the call of a closure around it.
final class Subject: @unchecked Sendable {
    // Unchecked: one benchmark at a time runs, and what its bodies share they know best.
    let name: String
    let operations: Int
    /// Whether it leaves the heap in disorder, so that whatever allocates afterwards is slower.
    let isLarge: Bool
    private let body: () async -> Void
    private let syncBody: (() -> Void)?

    /// The least time of an operation so far, in nanoseconds.
    private(set) var nanoseconds = Double.infinity
    private(set) var calls = 1

    init(_ name: String, operations: Int = 1_000, isLarge: Bool = false, _ body: @escaping () -> Void) {
        self.name = name
        self.operations = operations
        self.isLarge = isLarge
        self.body = body
        self.syncBody = body
    }

    init(waiting name: String, operations: Int = 1_000, _ body: @escaping () async -> Void) {
        self.name = name
        self.operations = operations
        self.isLarge = false
        self.body = body
        self.syncBody = nil
    }

    /// Runs the body for as long as caches need to fill, and finds out how often it fits into one pass.
    func warmUp() async {
        var elapsed = Duration.zero
        var calls = 0
        while elapsed < .milliseconds(20) || calls < 2 {
            elapsed += await time(calls: 1)
            calls += 1
        }
        self.calls = max(1, Int(Double(calls) * (Self.pass / elapsed)))
    }

    /// One pass; the fastest counts.
    func pass() async -> Duration {
        let elapsed = await time(calls: calls)
        nanoseconds = min(nanoseconds, elapsed / .nanoseconds(calls) / Double(operations))
        return elapsed
    }

    /// Long enough for the clock, short enough to find a moment in which nobody else wants the core.
    private static let pass = Duration.milliseconds(5)

    // Of a body that does not wait, the time that its thread had a core: a long body never finds a core for itself on a
    // busy machine. Of others, the time that went by.
    private func time(calls: Int) async -> Duration {
        if let syncBody { return threadTime { for _ in 0..<calls { syncBody() } } }
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<calls { await body() }
        return clock.now - start
    }

    private func threadTime(_ body: () -> Void) -> Duration {
        let start = threadNanoseconds()
        body()
        return .nanoseconds(threadNanoseconds() - start)
    }
}

/// How many nanoseconds the calling thread had a core so far.
private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// A number of nanoseconds that follows from subjects: the time of one, or the difference of two.
struct Quantity {
    let name: String
    let subjects: [Subject]
    let nanoseconds: () -> Double

    init(_ subject: Subject) {
        name = subject.name
        subjects = [subject]
        nanoseconds = { subject.nanoseconds }
    }

    /// What each of `count` things costs that `with` has and `without` has not.
    static func each(of count: Int, in with: Subject, over without: Subject) -> Quantity {
        Quantity(name: with.name, subjects: [with, without]) {
            max(0, (with.nanoseconds - without.nanoseconds) / Double(count))
        }
    }

    private init(name: String, subjects: [Subject], nanoseconds: @escaping () -> Double) {
        self.name = name
        self.subjects = subjects
        self.nanoseconds = nanoseconds
    }
}
