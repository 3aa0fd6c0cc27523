import ExamplePrograms
import Foundation
import FunctionalCore
import ResourceLoading
import TestSupport
import Testing
import VirtualTime

/// The value `fetchMany`, without its executable, on virtual time.
@Suite(.timeLimit(.minutes(10))) struct FetchManyProgramTests {
    private let scheduler = VirtualScheduler()
    private let log = Record<String>()

    private var plan: FetchPlan {
        var plan = FetchPlan()
        (plan.atOnce, plan.retries, plan.backoff, plan.jitter) = (2, 3, .seconds(1), 1...1)
        (plan.timeout, plan.total) = (.seconds(60), .seconds(600))
        return plan
    }

    /// Returns a loader that takes a second. A load of `name:2` fails twice, and a load of `stall` stalls.
    private func loader() -> ResourceLoader {
        let (clock, executor) = (scheduler.clock, scheduler.executor)
        let visits = Record<String>()
        return ResourceLoader { location in
            ResourceLoader.Events { continuation in
                let task = Task(executorPreference: executor) {
                    try? await clock.sleep(for: location == "stall" ? .seconds(100_000) : .seconds(1))
                    if Task.isCancelled { return continuation.finish() }
                    visits.append(location)
                    let failures = location.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
                    if visits.values.count(where: { $0 == location }) <= failures {
                        continuation.finish(throwing: LoadError.status(503, location: location))
                    } else if location == "absent" {
                        continuation.finish(throwing: LoadError.status(404, location: location))
                    } else {
                        continuation.yield(.loaded(ResourceSummary(size: 3, type: "text/plain", preview: .binary)))
                        continuation.finish()
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    private func run(_ locations: [String], _ plan: FetchPlan) throws -> Outcome<[Bool], any Error> {
        let (clock, log) = (scheduler.clock, log)
        let fetching = Fetching(loader: loader()) { event in
            let second = Int(clock.now.offset.components.seconds)
            switch event {
            case .began(let index): log.append("\(second) began \(index)")
            case .progressed: break
            case .stumbled(let index, _): log.append("\(second) stumbled \(index)")
            case .ended(let index, .success?): log.append("\(second) loaded \(index)")
            case .ended(let index, .failure?): log.append("\(second) gave up \(index)")
            case .ended(let index, nil): log.append("\(second) cancelled \(index)")
            }
        }
        return try scheduler.run {
            await fetchMany(locations, plan, clock: clock).outcome(fetching)
                .map { results in results.map { if case .success = $0 { true } else { false } } }
        }
    }

    private func expect(_ outcome: Outcome<[Bool], any Error>, _ results: [Bool]) {
        guard case .value(results) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `the number of concurrent loads is limited`() throws {
        expect(try run(["a", "b", "c", "d", "e"], plan), Array(repeating: true, count: 5))
        #expect(
            log.values.sorted() == [
                "0 began 0", "0 began 1", "1 began 2", "1 began 3", "1 loaded 0", "1 loaded 1", "2 began 4",
                "2 loaded 2",
                "2 loaded 3", "3 loaded 4",
            ])
    }

    @Test func `a temporary failure is retried, after waits that double`() throws {
        expect(try run(["a:3"], plan), [true])
        #expect(
            log.values == [
                "0 began 0", "1 stumbled 0", "2 began 0", "3 stumbled 0", "5 began 0", "6 stumbled 0", "10 began 0",
                "11 loaded 0",
            ])
    }

    @Test func `before jitter, no wait exceeds ten seconds or the first wait`() throws {
        var plan = plan
        (plan.backoff, plan.jitter) = (.seconds(8), 1.2...1.2)
        expect(try run(["a:3"], plan), [true])
        #expect(log.values.filter { $0.contains("began") } == ["0 began 0", "10 began 0", "23 began 0", "36 began 0"])
        plan.backoff = .seconds(20)
        expect(try run(["b:2"], plan), [true])
        let late = log.values.filter { $0.contains("began") }.suffix(3)
        #expect(late == ["37 began 0", "62 began 0", "87 began 0"])
    }

    @Test func `a load fails after its last retry, and the others are loaded`() throws {
        expect(try run(["a:4", "b"], plan), [false, true])
        #expect(log.values.suffix(2) == ["11 stumbled 0", "11 gave up 0"])
    }

    @Test func `a permanent failure is not retried`() throws {
        expect(try run(["absent"], plan), [false])
        #expect(log.values == ["0 began 0", "1 stumbled 0", "1 gave up 0"])
    }

    @Test func `each attempt has its own time limit`() throws {
        var plan = plan
        plan.retries = 1
        expect(try run(["stall"], plan), [false])
        #expect(
            log.values == ["0 began 0", "60 stumbled 0", "61 began 0", "121 stumbled 0", "121 gave up 0"])
    }

    @Test func `all loads end at the total time limit`() throws {
        var plan = plan
        (plan.timeout, plan.total) = (.seconds(1_000), .seconds(5))
        guard case .failure(let error) = try run(["stall", "a", "stall", "b"], plan) else {
            Issue.record("The program did not fail.")
            return
        }
        #expect(error as? TimeoutError == TimeoutError(duration: .seconds(5)))
        #expect(
            log.values.sorted() == [
                "0 began 0", "0 began 1", "1 began 2", "1 loaded 1", "5 cancelled 0", "5 cancelled 2",
            ])
    }
}
