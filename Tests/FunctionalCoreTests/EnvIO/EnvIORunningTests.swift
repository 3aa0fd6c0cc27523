import Dispatch
import FunctionalCore
import TestSupport
import Testing

@Suite("EnvIO: running", .timeLimit(.minutes(10)))
struct EnvIORunningTests {
    /// In release builds, the Swift 6.3 compiler may enter a function that only forwards its isolation on any executor.
    @Test func aRunStaysOnTheActorOfItsCaller() async {
        typealias Program = EnvIO<Void, Never, Bool>
        let waiting = Program { () async in isOnMainThread() }
        let pausing = Program { () async in
            let isBefore = isOnMainThread()
            await Task.yield()
            return isBefore && isOnMainThread()
        }
        let (first, second) = (Program.var(), Program.var())
        let programs = [
            Program { CurrentThread.isMain },
            EnvIO<Void, Never, Void>.suspend { .pure(()) }.map { CurrentThread.isMain },
            waiting,
            waiting.repeat(.recurs(1)),
            pausing,
            .bracket(acquire: pausing, release: { _ in pausing.map { #expect($0) } }, use: { .pure($0) }),
            // Programs with bound variables.
            binding(first <- waiting, second <- waiting, yield: first.get && second.get),
            binding(first <- .pure(true), second <- waiting.uncancellable(), yield: second.get),
            binding(first <- waiting, second <- waiting.repeat(.recurs(1)), yield: second.get),
        ]
        for program in programs {
            let task = Task.detached {
                [
                    await MainCaller.outcome(program), await MainCaller.run(program),
                    await MainCaller.outcome(program, 1), await MainCaller.start(program),
                ]
            }
            #expect(await task.value == [true, true, true, true])
        }
    }

    @Test func aWaitingProgramContinuesOnceFromItsWait() async {
        let log = Log()
        let program = EnvIO<Void, Never, Void> { log.append("before") }
            .flatMap { EnvIO { () async in await Task.yield() } }
            .map { log.append("after") }
        guard case .waiting(let task) = program.start(()) else {
            Issue.record("The program did not suspend.")
            return
        }
        #expect(log.lines == ["before"])
        #expect(await task.value.word == "()")
        #expect(log.lines == ["before", "after"])
    }

    @Test func anyNumberOfProgramsZipInOrder() throws {
        let log = Log()
        @Sendable func step<Value: Sendable>(_ value: Value) -> EnvIO<Void, any Error, Value> {
            EnvIO {
                log.append("\(value)")
                return value
            }
        }
        let (number, text, none, last) = try step(1).zip(step("a"), step(nil as Int?), step(2.5)).runSync()
        #expect((number, text) == (1, "a"))
        #expect((none, last) == (nil, 2.5))
        #expect(log.lines == ["1", "a", "nil", "2.5"])
        let count = State<Int, Int>.update {
            $0 += 1
            return $0
        }
        #expect(count.zip(count, count.map { "\($0)" }).eval(0) == (1, 2, "3"))
    }

    @Test func aZipOfSeveralProgramsKeepsOptionalValues() async throws {
        func isKept<Value: Sendable>(_ value: Value?) async throws -> Bool {
            let one = EnvIO<Void, Never, Value?>.pure(value)
            let state = State<Int, Value?>.pure(value)
            let zipped: (Value?, Value?, Value?) = one.zip(one, one).runSync()
            let atOnce: (Value?, Value?, Value?) = try await parallel(one, one, one).run()
            let stateful: (Value?, Value?, Value?) = state.zip(state, state).eval(0)
            let others = [zipped.0, zipped.1, atOnce.1, stateful.1]
            return others.allSatisfy { ($0 == nil) == (value == nil) }
        }
        #expect(try await isKept(nil as (any Sendable)?))
        #expect(try await isKept(1 as (any Sendable)?))
        #expect(try await isKept(nil as Int??))
        #expect(try await isKept(.some(nil) as Int??))
        #expect(try await isKept(nil as (any Error)?))
    }

    @Test(.promptly) func runSyncRefusesAProgramThatWaits() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try EnvIO<Void, any Error, Int> { () async in 1 }.runSync()
        }?.expectError(
            "runSync was called on a program that suspends: EnvIO<(), ",
            "To fix, run it with run(_:), outcome(_:) or start(_:)")
    }

    @Test(.promptly) func runSyncRefusesAProgramThatCancelsItself() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try EnvIO<Void, any Error, Int>.cancelled.runSync()
        }?.expectError("runSync was called on a program that cancels itself: EnvIO<(), ")
    }
}

/// Runs programs on the main actor, and does nothing else there.
@MainActor private enum MainCaller {
    static func outcome(_ program: EnvIO<Void, Never, Bool>) async -> Bool {
        let outcome = await program.outcome()
        return outcome == .value(true)
    }

    static func outcome(_ program: EnvIO<Void, Never, Bool>, _ environment: Int) async -> Bool {
        let outcome = await program.contramap { (_: Int) in }.outcome(environment)
        return outcome == .value(true)
    }

    static func run(_ program: EnvIO<Void, Never, Bool>) async -> Bool {
        let value = try? await program.run()
        return value == true
    }

    static func start(_ program: EnvIO<Void, Never, Bool>) async -> Bool {
        switch program.start(()) {
        case .finished(let outcome): return outcome == .value(true)
        case .waiting(let task):
            let outcome = await task.value
            return outcome == .value(true)
        }
    }
}

private func isOnMainThread() -> Bool { CurrentThread.isMain }

@Suite("EnvIO: executors", .timeLimit(.minutes(10)))
struct EnvIOExecutorTests {
    private typealias Place = EnvIO<Void, any Error, String>
    private static let queueKey = DispatchSpecificKey<String>()

    private func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: "same label")
        queue.setSpecific(key: Self.queueKey, value: name)
        return queue
    }

    private static let place = Place { DispatchQueue.getSpecific(key: queueKey) ?? "elsewhere" }

    private static let asyncPlace = Place { () async in
        await Task.yield()
        return DispatchQueue.getSpecific(key: queueKey) ?? "elsewhere"
    }

    @Test func onRunsItsProgramOnTheQueueAndReturns() async throws {
        let queue = queue("a")
        let places = try await Self.place.on(queue).zip(Self.asyncPlace.on(queue), Self.place).run()
        #expect(places == ("a", "a", "elsewhere"))
    }

    @Test func continueOnAppliesUntilTheEndOfItsBinding() async throws {
        let (first, second) = (Place.var(), Place.var())
        let program = binding(
            first <- Self.place, continueOn(queue("a")), second <- Self.asyncPlace, yield: [first.get, second.get])
        let (inside, after) = try await program.zip(Self.place).run()
        #expect(inside == ["elsewhere", "a"])
        #expect(after == "elsewhere")
    }

    @Test func queuesWithTheSameLabelAreDistinguished() async throws {
        let program = Self.place.on(queue("b")).zip(Self.place.on(queue("a"))).on(queue("c"))
        #expect(try await program.run() == ("b", "a"))
    }

    @Test func anErrorHandlerRunsOnTheQueueOfTheEnclosingProgram() async throws {
        let program = Place { throw Broken() }.on(queue("a")).handleErrorWith { _ in Self.place }.on(queue("b"))
        #expect(try await program.run() == "b")
    }

    @Test func movingBackAndForthManyTimesNeedsNoStack() async throws {
        let (a, b) = (queue("a"), queue("b"))
        @Sendable func bounce(_ count: Int) -> EnvIO<Void, any Error, Int> {
            count == 0
                ? .pure(0) : EnvIO<Void, any Error, Int>.pure(count - 1).on(count % 2 == 0 ? a : b).flatMap(bounce)
        }
        #expect(try await bounce(20_000).run() == 0)
    }
}
