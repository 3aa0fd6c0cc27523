import ExamplePrograms
import Foundation
import FunctionalCore
import PlaygroundTestSupport
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

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct FetchManyTests {
    let fetchMany = Playground("fetch-many")
    let server: HTTPTestServer

    init() async throws {
        server = try await HTTPTestServer.start()
    }

    @Test func `loads from servers that fail or stall are retried until they recover`() async throws {
        let (failing, stalling) = (server.url("/unwell/a/2/503/2000"), server.url("/unwell/b/1/stall/10"))
        // On a busy machine, a try may exceed its time limit. Without an end of the retries, each location is loaded.
        let report = try await fetchMany.run(
            server.url("/bytes/1000"), failing, stalling, "--backoff", "1", "--timeout", "4000", "--retries", "1000000",
            "--total", "2147483647")
        #expect(report.error == "")
        #expect(report.lines.last == "loaded 3 of 3")
        #expect(report.lines.contains { $0.hasPrefix("\(failing): trying again: ") })
        #expect(report.lines.contains("\(failing): loaded 2.0 kB (2000 bytes) of text/plain"))
        #expect(report.lines.contains("\(stalling): trying again: The load took longer than 4.0 seconds."))
        #expect(report.lines.contains("\(stalling): loaded 10 bytes of text/plain"))
        #expect(report.status == 0)
        #expect(await server.gone("/unwell/b/1/stall/10"))
    }

    @Test func `a failing server is asked again until it recovers`() async throws {
        let failing = server.url("/unwell/a/2/503/2000")
        let report = try await fetchMany.run(failing, "--backoff", "1", "--timeout", "600000")
        #expect(
            report.lines.count { $0.hasPrefix("\(failing): trying again: The server answered with status 503") } == 2)
        #expect(report.lines.suffix(2) == ["\(failing): loaded 2.0 kB (2000 bytes) of text/plain", "loaded 1 of 1"])
        #expect(report.status == 0)
    }

    @Test func `permanent failures are reported, and the rest is loaded`() async throws {
        let report = try await fetchMany.run(
            server.url("/status/404"), server.url("/bytes/5"), server.url("/drop"), "--retries", "1", "--backoff", "0")
        #expect(report.lines.last == "loaded 1 of 3")
        let errors = report.error.split(separator: "\n").sorted()
        #expect(errors.count == 2)
        #expect(errors[0].hasPrefix("fetch-many: \(server.url("/drop")): The host 127.0.0.1:\(server.port) closed"))
        #expect(errors[1].hasPrefix("fetch-many: \(server.url("/status/404")): The server answered with status 404"))
        #expect(report.lines.count { $0.hasPrefix("\(server.url("/drop")): trying again: ") } == 1)
        #expect(report.status == 1)
    }

    @Test func `exceeding the total time limit is reported`() async throws {
        let stalling = server.url("/stall")
        let report = try await fetchMany.run(stalling, "--total", "2000")
        #expect(report.lines.last == "loaded 0 of 1")
        #expect(
            // On a busy machine, the time may be over before the load has started.
            report.error.replacing("The load did not start.", with: "The load was stopped after 0 bytes.")
                .split(separator: "\n") == [
                    "fetch-many: \(stalling): The load was stopped after 0 bytes.",
                    "fetch-many: the loads took longer than 2.0 seconds; --total raises the limit",
                ])
        #expect(report.status == 1)
    }

    @Test func `Ctrl-C ends all loads`() async throws {
        let process = try fetchMany.start(
            server.url("/stall"), server.url("/stall-after/10/100"), server.url("/bytes/5"), "--at-once", "2")
        #expect(await server.requested("/stall"))
        #expect(await server.requested("/stall-after/10/100"))
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.lines.last == "loaded 0 of 3")
        #expect(
            // The ten bytes may or may not have been reported before the interrupt.
            report.error.replacing("after 10 bytes", with: "after 0 bytes").split(separator: "\n") == [
                "fetch-many: \(server.url("/stall")): The load was stopped after 0 bytes.",
                "fetch-many: \(server.url("/stall-after/10/100")): The load was stopped after 0 bytes.",
                "fetch-many: \(server.url("/bytes/5")): The load did not start.",
                "fetch-many: interrupted",
            ])
        #expect(report.status == 130)
        #expect(await server.gone("/stall"))
        #expect(await server.gone("/stall-after/10/100"))
    }

    @Test func `an interrupt does not report finished loads`() async throws {
        let (fast, stalling) = (server.url("/bytes/5"), server.url("/stall"))
        let process = try fetchMany.start(fast, stalling)
        #expect(await process.line { $0 == "\(fast): loaded 5 bytes of text/plain" } != nil)
        #expect(await server.requested("/stall"))
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.lines.last == "loaded 1 of 2")
        #expect(
            report.error.split(separator: "\n") == [
                "fetch-many: \(stalling): The load was stopped after 0 bytes.", "fetch-many: interrupted",
            ])
        #expect(report.status == 130)
    }

    @Test func `an interrupt reports the last failure of a load that waits for a retry`() async throws {
        let failing = server.url("/status/503")
        let process = try fetchMany.start(
            failing, "--backoff", "1", "--retries", "1000000", "--timeout", "600000")
        #expect(await process.line { $0.hasPrefix("\(failing): trying again: ") } != nil)
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.error.hasPrefix("fetch-many: \(failing): The load was stopped "))
        #expect(report.error.contains(". The last try failed: The server answered with status 503"))
        #expect(report.status == 130)
    }

    @Test func `all loads can run at once`() async throws {
        // More loads than Dispatch has threads.
        let locations = (0..<300).map { server.url("/bytes/5/\($0)") }
        let report = try await RunningProcess.run(
            fetchMany.path, locations + ["--at-once", "300", "--timeout", "600000", "--retries", "1000000"])
        #expect(report.error == "")
        #expect(report.lines.last == "loaded 300 of 300")
        #expect(report.status == 0)
    }

    @Test func `a third load waits for one of two`() async throws {
        let process = try fetchMany.start(
            server.url("/drip/a/5/5"), server.url("/drip/b/5/5"), server.url("/bytes/7"), "--at-once", "2",
            "--timeout", "600000")
        #expect(await server.requested("/drip/a/5/5"))
        #expect(await server.requested("/drip/b/5/5"))
        #expect(await process.line { $0.hasSuffix("/drip/b/5/5: loading") } != nil)
        _ = try await ResourceLoader.live().load(server.url("/release/a"))
        #expect(await server.requested("/bytes/7"))
        _ = try await ResourceLoader.live().load(server.url("/release/b"))
        let report = await process.wait()
        let (ended, begun) = (
            report.lines.firstIndex { $0.contains(": loaded 5 bytes") },
            report.lines.firstIndex { $0.hasSuffix("/bytes/7: loading") }
        )
        #expect(try #require(ended) < #require(begun))
        #expect(report.status == 0)
    }

    @Test func `a terminal shows a bar for each running load, and a line for each finished one`() async throws {
        let process = try fetchMany.startOnTerminal(
            server.url("/drip/a/5/10"), server.url("/bytes/7"), "--timeout", "600000")
        let ended = await process.wait {
            $0.output.contains("loaded 7 bytes of text/plain") && $0.output.contains("[ ")
        }
        #expect(!ended.isEnded)
        for _ in 0..<2 { _ = try await ResourceLoader.live().load(server.url("/release/a")) }
        let report = await process.wait()
        #expect(report.terminalLines.last == "loaded 2 of 2")
        #expect(report.status == 0)
    }

    @Test(.enabled(if: !isSanitized, "sanitizers use additional memory"))
    func `memory does not grow with the loaded bytes`() async throws {
        let report = try await fetchMany.run(
            server.url("/bytes/200000000/a"), server.url("/bytes/200000000/b"), server.url("/bytes/200000000/c"),
            "--timeout", "600000", environment: ["REPORT_PEAK_MEMORY": "1"])
        #expect(report.lines.last == "loaded 3 of 3")
        #expect(try #require(report.peakMemory) <= 80_000_000)
    }

    @Test(arguments: [
        ["x", "--at-once", "0"], ["x", "--retries", "-1"], ["x", "--timeout", "soon"], [],
    ])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(fetchMany.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("fetch-many: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    @Test(arguments: ["1s", "0", "9999999999"])
    func `a time that is not a number of milliseconds is an error`(text: String) async throws {
        let report = try await fetchMany.run("x", "--timeout", text)
        #expect(
            report.error
                == "fetch-many: option --timeout needs a whole number of milliseconds from 1 to 2147483647, not \(text); "
                + "try fetch-many --help\n")
        #expect(report.status == 64)
    }
}
