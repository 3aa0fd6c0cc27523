import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// A source whose callbacks the test calls.
private final class Source: Sendable {
    typealias Done = @Sendable (Result<Int, Broken>) -> Void
    let callbacks = Record<Done>()
    let stopped = Record<String>()

    var program: EnvIO<Source, Broken, Int> {
        .async { source, done in
            source.callbacks.append(done)
            return "request \(source.callbacks.values.count)"
        } onCancel: { [stopped] in
            stopped.append($0)
        }
    }
}

@Suite("Async", .timeLimit(.minutes(10)))
struct AsyncTests {
    private let scheduler = VirtualScheduler()
    private let source = Source()
    private let log = Log()
    private let ends = Record<Outcome<Int, Broken>>()

    private func start(_ program: EnvIO<Source, Broken, Int>) -> Task<Void, any Error> {
        defer { scheduler.drain() }
        return scheduler.start { [source, ends] in ends.append(await program.outcome(source)) }
    }

    @Test(
        "AS2. A second call of the callback is ignored, also after the program has ended",
        arguments: [Result<Int, Broken>.success(1), .failure(Broken())])
    func aSecondCall(first: Result<Int, Broken>) {
        _ = start(source.program)
        source.callbacks.values[0](first)
        source.callbacks.values[0](.success(2))
        scheduler.drain()
        source.callbacks.values[0](.success(3))
        #expect(ends.values == [Outcome(first)])
    }

    @Test("AS3. onCancel is called once for a cancelled program, and never for one that ended")
    func stoppingIt() {
        let tasks = (0..<3).map { _ in start(source.program) }
        source.callbacks.values[0](.success(1))
        source.callbacks.values[1](.failure(Broken()))
        scheduler.drain()
        #expect(ends.values == [.value(1), .failure(Broken())])
        for task in tasks + tasks { task.cancel() }
        scheduler.drain()
        #expect(source.stopped.values == ["request 3"])
        #expect(ends.values.last == .cancelled)
        source.callbacks.values[2](.success(3))
        scheduler.drain()
        #expect(ends.values.count == 3)
    }

    @Test("AS3. Cancelling during the registration calls onCancel after the registration")
    func cancelledWhileRegistering() throws {
        let program = EnvIO<Void, Never, Int>.async { [log] _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            log.append("registered")
            return 7
        } onCancel: { [log] in
            log.append("stopped \($0)")
        }
        #expect(try scheduler.run { await program.outcome() } == .cancelled)
        #expect(log.lines == ["registered", "stopped 7"])
    }

    @Test("AS3. Cancelling after the callback does not change the outcome or call onCancel")
    func theCallbackFirst() throws {
        let program = EnvIO<Void, Never, Int>.async { _, done in
            done(.success(1))
            withUnsafeCurrentTask { $0?.cancel() }
        } onCancel: { [log] in
            log.append("stopped")
        }
        #expect(try scheduler.run { await program.outcome() } == .value(1))
        #expect(log.lines == [])
    }

    @Test("AS4. A program whose callback is never called ends only when it is cancelled")
    func never() {
        for program in [EnvIO<Source, Broken, Int>.never, .async { _, _ in }] {
            let task = start(program)
            scheduler.advance(by: .seconds(1_000_000))
            #expect(ends.values == [])
            task.cancel()
            scheduler.drain()
            #expect(ends.values == [.cancelled])
            ends.removeAll()
        }
    }

    @Test("AS5. A program moved with on(_:) runs on that executor, with the same outcome")
    func onAnExecutor() async {
        let executor = PlaceExecutor()
        let place = EnvIO<Void, Broken, Bool> { executor.isCurrent }
        #expect(await place.on(executor).zip(place).map { [$0, $1] }.outcome() == .value([true, false]))
        #expect(await EnvIO<Void, Broken, Int>.pure(1).on(executor).outcome() == .value(1))
        #expect(await EnvIO<Void, Broken, Int>.fail(Broken()).on(executor).outcome() == .failure(Broken()))
        #expect(await EnvIO<Void, Broken, Int>.never.race(.pure(1).on(executor)).outcome() == .value(1))
    }

    @Test func callbacksFromManyThreadsEndTheProgramOnce() async {
        for _ in 0..<200 {
            let program = EnvIO<Void, Never, Int>.async { _, done in
                Task.detached { done(.success(1)) }
                Task.detached { done(.success(2)) }
            } onCancel: { _ in
            }
            let task = Task { await program.outcome() }
            Task.detached { task.cancel() }
            let end = await task.value
            #expect(end == .value(1) || end == .value(2) || end == .cancelled)
        }
    }

    @Test func anUncancellableRegionIgnoresCancellation() {
        start(source.program.uncancellable()).cancel()
        scheduler.drain()
        #expect(ends.values == [])
        source.callbacks.values[0](.success(1))
        scheduler.drain()
        #expect(ends.values == [.value(1)])
        #expect(source.stopped.values == [])
    }
}

@Suite("Streams", .timeLimit(.minutes(10)))
struct StreamTests {
    private typealias Pipe = EnvIO<Int, any Error, Int>

    private static func numbers(_ count: Int) -> AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { stream in
            for number in 1...count { stream.yield(number) }
            stream.finish()
        }
    }

    @Test func elementsAreProcessedInSequence() async throws {
        let log = Log()
        let program = EnvIO<Int, any Error, Void>.fromStream(
            { Self.numbers($0) },
            forEach: { number in
                EnvIO { _ in log.append("begin \(number)") }
                    .flatMap { EnvIO { _ async in await Task.yield() } }
                    .map { log.append("end \(number)") }
            })
        try await program.run(2)
        try await program.run(1)
        #expect(log.lines == ["begin 1", "end 1", "begin 2", "end 2", "begin 1", "end 1"])
    }

    @Test func elementsAreReducedToOneValue() async throws {
        let sum = Pipe.fromStream({ Self.numbers($0) }, into: 0, next: { sum, number in .pure(sum + number) })
        #expect(try await sum.run(20_000) == 200_010_000)
        #expect(try await EnvIO<Int, any Error, Int?>.first { Self.numbers($0) }.run(9) == 1)
        let empty = AsyncThrowingStream<Int, any Error> { $0.finish() }
        #expect(try await EnvIO<Int, any Error, Int?>.first { _ in empty }.run(9) == nil)
    }

    @Test func aFailingProgramMayUseAStreamThatCannotFail() async throws {
        @Sendable func numbers(_ count: Int) -> AsyncStream<Int> {
            AsyncStream { stream in
                for number in 1...count { stream.yield(number) }
                stream.finish()
            }
        }
        let sum = EnvIO<Int, Broken, Int>.fromStream(
            { numbers($0) }, into: 0,
            next: { sum, number in number > 3 ? .fail(Broken(name: "4")) : .pure(sum + number) })
        #expect(await sum.outcome(3) == .value(6))
        #expect(await sum.outcome(9) == .failure(Broken(name: "4")))
        let seen = Log()
        let each = EnvIO<Int, any Error, Void>.fromStream(
            { numbers($0) }, forEach: { number in EnvIO { _ in seen.append("\(number)") } })
        try await each.run(2)
        #expect(seen.lines == ["1", "2"])
        #expect(try await EnvIO<Int, any Error, Int?>.first { numbers($0) }.run(2) == 1)
        // A program that cannot fail accepts such a stream, too.
        #expect(await EnvIO<Int, Never, Int?>.first { numbers($0) }.outcome(2) == .value(1))
    }

    @Test func theStreamIsReleasedBeforeTheNextStep() async {
        let log = Log()
        @Sendable func stream() -> AsyncStream<Int> {
            AsyncStream { stream in
                stream.onTermination = { _ in log.append("gone") }
                for number in 1...2 { stream.yield(number) }
            }
        }
        let sum = EnvIO<Void, Broken, Int>.fromStream(
            { stream() }, into: 0, next: { sum, number in number == 2 ? .fail(Broken()) : .pure(sum + number) })
        #expect(await sum.tapError { _ in log.append("handled") }.outcome() == .failure(Broken()))
        #expect(log.lines == ["gone", "handled"])
        let first = EnvIO<Void, Never, Int?>.first { stream() }.tap { _ in log.append("first") }
        #expect(await first.outcome() == .value(1))
        #expect(log.lines == ["gone", "handled", "gone", "first"])
    }

    @Test func aFailureOfTheStreamOrTheBodyEndsTheProgram() async {
        let ended = Log()
        @Sendable func stream(failingAfter count: Int) -> AsyncThrowingStream<Int, any Error> {
            AsyncThrowingStream { stream in
                stream.onTermination = { _ in ended.append("gone") }
                for number in 0..<count { stream.yield(number) }
                stream.finish(throwing: Broken(name: "stream"))
            }
        }
        let program = Pipe.fromStream(
            { stream(failingAfter: $0) }, into: 0,
            next: { sum, number in
                number == 5 ? .fail(Broken(name: "body")) : .pure(sum + 1)
            })
        #expect(await program.outcome(3).word == "Broken stream")
        #expect(await program.outcome(9).word == "Broken body")
        #expect(ended.lines == ["gone", "gone"])
    }

    @Test func cancellationEndsTheProgramAsCancelledEvenIfTheStreamFinishes() throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = EnvIO<Void, Never, Int>.fromStream(
            {
                AsyncStream<Int> { stream in
                    stream.onTermination = { _ in log.append("gone") }
                    stream.yield(1)
                }
            }, into: 0, next: { sum, number in .pure(sum + number) })
        let task = scheduler.start { log.append(await program.outcome().word) }
        scheduler.drain()
        #expect(log.lines == [])
        task.cancel()
        scheduler.drain()
        #expect(log.lines == ["gone", "cancelled"])
    }

    @Test func aCancellationErrorOfTheStreamIsAFailureUnlessTheRunIsCancelled() throws {
        struct Sleeping: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let clock: VirtualClock

            func makeAsyncIterator() -> Sleeping { self }

            func next() async throws -> Int? {
                try await clock.sleep(for: .seconds(1))
                throw CancellationError()
            }
        }
        let scheduler = VirtualScheduler()
        let program = EnvIO<VirtualClock, any Error, Int?>.first { Sleeping(clock: $0) }
        let ends = Log()
        let tasks = (0..<2).map { _ in scheduler.start { ends.append(await program.outcome(scheduler.clock).word) } }
        scheduler.drain()
        tasks[0].cancel()
        scheduler.drain()
        #expect(ends.lines == ["cancelled"])
        scheduler.advance(by: .seconds(1))
        #expect(ends.lines == ["cancelled", "CancellationError()"])
    }
}
