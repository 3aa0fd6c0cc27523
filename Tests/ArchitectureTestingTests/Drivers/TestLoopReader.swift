import ArchitectureTesting
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

/// What the tests of `TestLoop` drive: a loop with an event for each thing that a driver can report.
struct Reader: Equatable, Sendable {
    var title = "empty"
    var count = 0
}

enum ReaderEvent: Equatable, Sendable, AutoPrism {
    /// Changes nothing.
    case touch
    case open(Int)
    case loaded(String)
    /// Answered at once.
    case echo(Int)
    case echoed(Int)
    /// Two effects.
    case both(Int)
    /// A second after the last one.
    case search(String)
    case found(String)
    /// Answered by the test.
    case ask
    case answered(Int)
    case delete(Int)
    case failed(String)
    case fail
    case fetch
    case stall
    case play(Bool)
    case tick
    case quit
}

enum ReaderEffect: Equatable, Sendable {
    case load(Int)
    case echo(Int)
    case search(String)
    case ask
    case delete(Int)
    case fail
    case fetch
    case stall
    case quit
}

let reading = Update<Reader, ReaderEvent, ReaderEffect>(inPlace: { reader, event in
    switch event {
    case .touch: return []
    case .open(let id):
        reader.title = "loading"
        return [.load(id)]
    case .loaded(let title), .found(let title), .failed(let title): reader.title = title
    case .echo(let number): return [.echo(number)]
    case .echoed(let number): reader.count += number
    case .both(let number): return [.echo(number), .echo(number + 1)]
    case .search(let text): return [.search(text)]
    case .ask: return [.ask]
    case .answered(let number): reader.count = number
    case .delete(let id): return [.delete(id)]
    case .fail: return [.fail]
    case .fetch: return [.fetch]
    case .stall: return [.stall]
    case .play(let isPlaying): reader.title = isPlaying ? "playing" : "paused"
    case .tick: reader.count += 1
    case .quit: return [.quit]
    }
    return []
})

/// A loop of readers, whose calls the test has to state.
struct ReaderTest {
    typealias Driver = TestLoop<Reader, ReaderEvent, ReaderEffect>
    typealias Builder = Mobius.Builder<Reader, ReaderEvent, ReaderEffect>

    let time = VirtualScheduler()
    let calls = Recorder()
    let callbacks = Record<EffectCallback<ReaderEvent>>()
    let log = Log()
    /// What the effect `quit` does.
    let quit = Locked<@Sendable () -> Void>({})

    var router: EffectRouter<ReaderEffect, ReaderEvent> {
        let (clock, quit, callbacks, log) = (time.clock, quit, callbacks, log)
        let load = calls.stub("load") { (id: Int) async throws -> String in
            try await clock.sleep(for: .seconds(1))
            return "post \(id)"
        }
        let delete: @Sendable (Int) throws -> Void = calls.unstubbed("delete")
        let answering = EffectRouter<ReaderEffect, ReaderEvent>()
            .routeCase(ReaderEffect.load).toEvent { id in .loaded(try await load(id)) }
            .routeCase(ReaderEffect.echo).toEvent { number in .echoed(number) }
            .routeCase(ReaderEffect.search).policy(.debounce(for: .seconds(1), clock: clock))
            .toEvent { text in .found(text) }
            .routeCase(ReaderEffect.delete).toEvent { (id) async throws -> ReaderEvent? in
                try delete(id)
                return nil
            }
            .routeCase(ReaderEffect.fail).toEvent { () async throws -> ReaderEvent? in throw Offline() }
            .routeCase(ReaderEffect.fetch).toEvent { () async throws -> ReaderEvent? in
                try await clock.sleep(for: .seconds(1))
                throw Offline()
            } onError: { error, _ in
                .failed("\(error)")
            }
        let waiting =
            answering
            .routeCase(ReaderEffect.ask).to { (_: Void, callback: EffectCallback<ReaderEvent>) in
                callbacks.append(callback)
                return AnonymousDisposable { log.append("ask disposed") }
            }
            .routeCase(ReaderEffect.stall).to { () async in
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                log.append("stall ended")
                withExtendedLifetime(continuation) {}
            }
        return waiting.routeCase(ReaderEffect.quit).to { quit.withLock { $0 }() }
    }

    var builder: Builder { Mobius.loop(update: reading, effectHandler: router) }

    func driver(
        _ change: (Builder) -> Builder = { $0 }, effects: [ReaderEffect] = [], relaxing axes: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Driver {
        TestLoop(
            change(builder), from: Reader(), effects: effects, time: time, calls: calls, relaxing: axes,
            sourceLocation: sourceLocation)
    }

    /// The numbers of seconds, as an event source.
    @Sendable func ticks() -> AsyncStream<ReaderEvent> {
        AsyncStream { [clock = time.clock] in
            do { try await clock.sleep(for: .seconds(1)) } catch { return nil }
            return .tick
        }
    }
}

extension ReaderTest {
    /// An event source that fails after its first event.
    @Sendable func brokenTicks() -> AsyncThrowingStream<ReaderEvent, any Error> {
        AsyncThrowingStream { [clock = time.clock, count = Locked(0)] in
            if count.withLock({ count in
                defer { count += 1 }
                return count
            }) > 0 {
                throw Offline()
            }
            try await clock.sleep(for: .seconds(1))
            return .tick
        }
    }
}

/// An event source that sends an event each second while the reader is playing.
struct PlayingSource: Connectable, Sendable {
    let time: VirtualScheduler

    func connect(_ consumer: @escaping Consumer<ReaderEvent>) -> Connection<Reader> {
        let task = Locked<Task<Void, Never>?>(nil)
        return Connection(
            acceptClosure: { [time] reader in
                task.withLock { task in
                    task?.cancel()
                    if reader.title != "playing" { return }
                    task = Task(executorPreference: time.executor) {
                        if (try? await time.clock.sleep(for: .seconds(1))) != nil { consumer(.tick) }
                    }
                }
            },
            disposeClosure: { task.withLock { $0?.cancel() } })
    }
}

/// An effect handler without a router.
struct PlainHandler: Connectable, Sendable {
    let time: VirtualScheduler

    func connect(_ consumer: @escaping Consumer<ReaderEvent>) -> Connection<ReaderEffect> {
        Connection(
            acceptClosure: { [time] effect in
                if case .echo(let number) = effect { return consumer(.echoed(number)) }
                guard case .load(let id) = effect else { return }
                Task(executorPreference: time.executor) {
                    try await time.clock.sleep(for: .seconds(1))
                    consumer(.loaded("post \(id)"))
                }
            },
            disposeClosure: {})
    }
}
