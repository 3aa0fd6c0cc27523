import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Deferred", .timeLimit(.minutes(10)))
struct DeferredTests {
    private let scheduler = VirtualScheduler()
    private let answer = Deferred<Int>()

    @Test func completesOnce() {
        #expect(answer.current == nil)
        #expect(answer.complete(1))
        #expect(!answer.complete(2))
        #expect(answer.current == 1)
    }

    @Test func nilCompletesAnOptional() async throws {
        let answer = Deferred<Int?>()
        #expect(answer.complete(nil))
        #expect(!answer.complete(1))
        #expect(try await answer.value == nil)
    }

    @Test func aCompletedValueIsReturnedEvenIfTheTaskIsCancelled() async throws {
        answer.complete(1)
        #expect(try await answer.value == 1)
        #expect(EnvIO<Void, Never, Int>.value(of: answer).runSync() == 1)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await answer.value
        }
        #expect(try await cancelled.value == 1)
    }

    @Test func waitersResumeInOrder() {
        let seen = Record<Int>()
        for number in 0..<1_000 {
            scheduler.start { seen.append(try await answer.value + number) }
        }
        scheduler.drain()
        #expect(answer.waiterCount == 1_000)
        #expect(seen.values.isEmpty)
        answer.complete(5)
        #expect(answer.waiterCount == 0)
        scheduler.drain()
        #expect(seen.values == Array(5..<1_005))
    }

    @Test func aCancelledWaiterStopsWaitingAndIsRemoved() async throws {
        let tasks = (0..<9).map { number in scheduler.start { try await answer.value * 10 + number } }
        scheduler.drain()
        for gone in [4, 0, 8, 5] {
            tasks[gone].cancel()
            scheduler.drain()
            await #expect(throws: CancellationError.self) { try await tasks[gone].value }
        }
        #expect(answer.waiterCount == 5)
        answer.complete(1)
        scheduler.drain()
        for left in [1, 2, 3, 6, 7] { #expect(try await tasks[left].value == 10 + left) }
        #expect(answer.waiterCount == 0)
    }

    @Test func aWaiterCancelledAfterCompletionReceivesTheValue() async throws {
        let task = scheduler.start { try await answer.value }
        scheduler.drain()
        answer.complete(3)
        task.cancel()
        scheduler.drain()
        #expect(try await task.value == 3)
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await answer.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(answer.waiterCount == 0)
    }

    @Test func aProgramWaitsForTheValueAndCanBeCancelled() async throws {
        let program = EnvIO<Void, Never, Int>.value(of: answer).map { $0 + 1 }
        let (one, other) = (scheduler.start { await program.outcome() }, scheduler.start { await program.outcome() })
        scheduler.drain()
        #expect(answer.waiterCount == 2)
        other.cancel()
        scheduler.drain()
        #expect(try await other.value == .cancelled)
        answer.complete(1)
        scheduler.drain()
        #expect(try await one.value == .value(2))
    }

    @Test func waitingStaysInTheCallersIsolation() async throws {
        try await { @MainActor in
            let task = Task { @MainActor in answer.complete(1) }
            _ = try await answer.value
            MainActor.assertIsolated()
            _ = await task.value
        }()
    }

    @Test func concurrentCompletionWaitingAndCancellationAgreeOnOneValue() async throws {
        for _ in 0..<200 {
            let answer = Deferred<Int>()
            let outcomes = await withTaskGroup(of: Int?.self) { group in
                let waiters = (0..<8).map { _ in Task { try await answer.value } }
                for (index, waiter) in waiters.enumerated() {
                    if index % 2 == 0 {
                        group.addTask {
                            waiter.cancel()
                            return nil
                        }
                    }
                    group.addTask { try? await waiter.value }
                }
                for number in 0..<2 { group.addTask { answer.complete(number) ? -1 : nil } }
                return await group.reduce(into: [Int]()) { if let value = $1 { $0.append(value) } }
            }
            let value = try #require(answer.current)
            #expect(outcomes.count { $0 == -1 } == 1)
            #expect(outcomes.allSatisfy { $0 == -1 || $0 == value })
            #expect(outcomes.count >= 5)
            #expect(answer.waiterCount == 0)
        }
    }

    @Test func isFreedWithItsWaiters() async throws {
        weak var content: Witness?
        weak var kept: Deferred<Witness>?
        do {
            let scheduler = VirtualScheduler()
            let answer = Deferred<Witness>()
            let tasks = (0..<100).map { _ in scheduler.start { _ = try await answer.value } }
            scheduler.drain()
            for task in tasks.prefix(50) { task.cancel() }
            do {
                let value = Witness()
                content = value
                answer.complete(value)
            }
            kept = answer
            scheduler.drain()
            for task in tasks { _ = await task.result }
        }
        #expect(content == nil)
        #expect(kept == nil)
    }
}
