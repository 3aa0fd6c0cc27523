import Dispatch
import FunctionalCore
import Synchronization

private let section = "EnvIO concurrency"
private typealias Program = EnvIO<Int, any Error, Int>

var envIOConcurrencyRows: [Row] {
    [
        Row(section, "race of two", peer: "Bow 63,201") {
            let race = opaque(step.race(step))
            let long = opaque(sleeper.race(step))
            return [
                .time("steps", repeated("race") { try await race.run(opaque(1)) }, Raw.race()),
                .time("a sleep and a step", repeated("race") { try await long.run(opaque(1)) }, Raw.raceWithSleep()),
            ]
        },
        Row(section, "parZip of two", peer: "Bow 95,261") {
            let both = opaque(step.parZip(step.map { $0 &- 2 }))
            return [.time("", repeated("parZip") { sum(try await both.run(opaque(1))) }, Raw.both())]
        },
        Row(section, "parTraverse(limit: 8) of 1,000, each", peer: "blocks a thread each") {
            let all = opaque((0..<1_000).parTraverse(limit: 8) { number in step.map { $0 &+ number } })
            let yielding = opaque((0..<1_000).parTraverse(limit: 8) { number in yield.map { $0 &+ number } })
            let together = opaque((0..<1_000).parTraverse { number in step.map { $0 &+ number } })
            return [
                .time(
                    "steps", traverse(all), Raw.traverse(limit: 8) { await next($0) }),
                .time(
                    "steps, against eight tasks that take indices", traverse(all), Raw.workers(8) { await next($0) }),
                .time(
                    "steps that yield", traverse(yielding),
                    Raw.traverse(limit: 8) { await yieldingNext($0) }),
                .time(
                    "steps, without a limit", traverse(together),
                    Raw.traverse(limit: 1_000) { await next($0) }),
            ]
        },
        Row(section, "async, called back at once, each") {
            let program = opaque(Program.async { number, done in done(.success(number)) })
            return [
                .time(
                    "", repeated("async", expecting: 1) { try await program.run(opaque(1)) },
                    repeated("continuation", expecting: 1) {
                        await withTaskCancellationHandler {
                            await withCheckedContinuation { $0.resume(returning: opaque(1)) }
                        } onCancel: {
                        }
                    })
            ]
        },
    ]
}

private let step = Program { (number: Int) async in await next(number) }
private let yield = Program { (number: Int) async in await yieldingNext(number) }
private let sleeper = EnvIO<Int, any Error, Void>.sleep(for: .seconds(3_600)).as(0)

@inline(never)
private func yieldingNext(_ number: Int) async -> Int {
    await Task.yield()
    return opaque(number) &+ 1
}

/// A body that must return 2, as a step of 1 does, or another number.
private func repeated(
    _ name: String, expecting expected: Int = 2, _ body: @escaping () async throws -> Int
) -> Subject {
    onOneThread(name, operations: 100, expecting: 100 * expected) {
        var sum = 0
        for _ in 0..<100 { sum += try await body() }
        return sum
    }
}

/// A subject whose tasks take turns on one thread. On several, it would be measured which of them is awake.
private func onOneThread<Value: Equatable>(
    _ name: String, operations: Int = 1_000, expecting expected: Value, _ body: @escaping () async throws -> Value
) -> Subject {
    Subject(waiting: name, operations: operations, expecting: expected) {
        try await withTaskExecutorPreference(OneThread.shared) { try await body() }
    }
}

private final class OneThread: TaskExecutor {
    static let shared = OneThread()

    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private func sum(_ both: (Int, Int)) -> Int { both.0 &+ both.1 }

/// What a thousand steps of 1 return to which the index is added.
private let traversed = (0..<1_000).map { $0 + 2 }

private func traverse(_ program: EnvIO<Int, any Error, [Int]>) -> Subject {
    onOneThread("parTraverse", expecting: traversed) { try await program.run(opaque(1)) }
}

/// The same work by task groups alone.
private enum Raw {
    static func race() -> Subject {
        repeated("task group") {
            await withTaskGroup(of: Int.self) { group in
                group.addTask { await next(opaque(1)) }
                group.addTask { await next(opaque(1)) }
                let first = await group.next()
                group.cancelAll()
                return first ?? 0
            }
        }
    }

    static func raceWithSleep() -> Subject {
        repeated("task group") {
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await ContinuousClock().sleep(for: .seconds(3_600))
                    return 0
                }
                group.addTask { await next(opaque(1)) }
                let first = try await group.next()
                group.cancelAll()
                return first ?? 0
            }
        }
    }

    static func both() -> Subject {
        repeated("task group") {
            try await withThrowingTaskGroup(of: (isFirst: Bool, Int).self) { group in
                group.addTask { (true, await next(opaque(1))) }
                group.addTask { (false, await next(opaque(1)) &- 2) }
                var both = (0, 0)
                for try await (isFirst, value) in group {
                    if isFirst { both.0 = value } else { both.1 = value }
                }
                return sum(both)
            }
        }
    }

    /// A task for each element, `limit` at a time.
    static func traverse(limit: Int, _ work: @escaping @Sendable (Int) async -> Int) -> Subject {
        onOneThread("task group", expecting: traversed) {
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                var values = [Int](repeating: 0, count: 1_000)
                for index in 0..<limit { group.addTask { (index, await work(opaque(1)) &+ index) } }
                var begun = limit
                while let (index, value) = try await group.next() {
                    values[index] = value
                    if begun < 1_000 {
                        let index = begun
                        group.addTask { (index, await work(opaque(1)) &+ index) }
                        begun += 1
                    }
                }
                return values
            }
        }
    }

    /// The floor: `count` tasks, each of which takes an index until none is left.
    static func workers(_ count: Int, _ work: @escaping @Sendable (Int) async -> Int) -> Subject {
        onOneThread("\(count) tasks", expecting: traversed) {
            let shared = Shared()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        while case let index = shared.taken.add(1, ordering: .relaxed).oldValue, index < 1_000 {
                            let value = await work(opaque(1)) &+ index
                            shared.values.withLock { $0[index] = value }
                        }
                    }
                }
            }
            return shared.values.withLock { $0 }
        }
    }
}

/// What the tasks of ``Raw/workers(_:_:)`` share.
private final class Shared: Sendable {
    let taken = Atomic(0)
    let values = Mutex([Int](repeating: 0, count: 1_000))
}
