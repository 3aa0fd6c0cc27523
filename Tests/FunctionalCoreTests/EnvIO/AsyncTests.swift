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
