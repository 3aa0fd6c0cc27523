// The code of the article on progress and cancellation.

import FunctionalCore
import Loop
import Synchronization
import TestSupport
import Testing
import VirtualTime

@Suite("The article on progress and cancellation", .timeLimit(.minutes(10)))
struct ProgressAndCancellationExampleTests {
    //@block Loop/ProgressAndCancellation enum UploadEvent

    let uploads = Update<[String: Int], UploadEvent, UploadEffect> { percents, event in
        var percents = percents
        switch event {
        case .start(let file):
            percents[file] = 0
            return .next(percents, effects: [.upload(file)])
        case .cancel(let file):
            percents[file] = nil
            return .next(percents, effects: [.cancel(file)])
        case .progressed(let file, let percent):
            percents[file] = percent
            return .next(percents)
        case .uploaded(let file):
            percents[file] = 100
            return .next(percents)
        case .failed(let file):
            percents[file] = nil
            return .next(percents)
        }
    }

    //@block Loop/ProgressAndCancellation func cancellable(_

    private var router: EffectRouter<UploadEffect, UploadEvent> {
        EffectRouter(executor: scheduler.executor).routeCase(UploadEffect.cancel).to { _ in }
    }

    func withSend(_ server: Server) -> EffectRouter<UploadEffect, UploadEvent> {
        router
        //@block Loop/ProgressAndCancellation .routeCase(UploadEffect.upload).toHandling { file in .toEvents { send
    }

    func withSequence(_ server: Server) -> EffectRouter<UploadEffect, UploadEvent> {
        router
        //@block Loop/ProgressAndCancellation .routeCase(UploadEffect.upload).toHandling { file in .toEvents { server
    }

    func withCallback(_ server: Server) -> EffectRouter<UploadEffect, UploadEvent> {
        router
        //@block Loop/ProgressAndCancellation .routeCase(UploadEffect.upload).to { file, callback
    }

    /// Uploads a file in two seconds.
    struct Server: Sendable {
        let clock: any Clock<Duration>
        let cancelled = Cancelled()

        final class Cancelled: Sendable {
            let files = Mutex<[String]>([])
        }

        func upload(_ file: String, progress: @Sendable (Int) -> Void) async throws {
            do {
                for percent in [10, 50] {
                    progress(percent)
                    try await clock.sleep(for: .seconds(1))
                }
            } catch {
                cancelled.files.withLock { $0.append(file) }
                throw error
            }
        }

        func progress(of file: String) -> AsyncThrowingStream<Int, any Error> {
            AsyncThrowingStream { continuation in
                continuation.yield(10)
                continuation.finish(throwing: Interrupted())
            }
        }

        struct Interrupted: Error {}

        func startUpload(_ file: String, completion: @escaping @Sendable (Bool) -> Void) -> Upload {
            completion(file == "a")
            return Upload()
        }

        struct Upload: Sendable {
            func cancel() {}
        }

        var cancelledFiles: [String] { cancelled.files.withLock { $0 } }
    }

    private let scheduler = VirtualScheduler()
    private var server: Server { Server(clock: scheduler.clock) }

    @Test func aClosureSendsProgressAndCountsAsWork() throws {
        let loop = Mobius.loop(update: uploads, effectHandler: withSend(server)).start(from: [:])
        loop.dispatchEvent(.start("a"))
        scheduler.drain()
        #expect(loop.latestModel == ["a": 10])
        scheduler.advance(by: .seconds(1))
        #expect(loop.latestModel == ["a": 50])
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == ["a": 100])
    }

    @Test func aSequenceDoesNotCountAsWorkAndMayFail() throws {
        let loop = Mobius.loop(update: uploads, effectHandler: withSequence(server)).start(from: [:])
        let models = Record<[String: Int]>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(.start("a"))
        scheduler.drain()
        #expect(models.values == [[:], ["a": 0], ["a": 10], [:]])
        try scheduler.run { try await loop.settled() }
    }

    @Test func aCallbackEndsTheEffect() throws {
        let loop = Mobius.loop(update: uploads, effectHandler: withCallback(server)).start(from: [:])
        for file in ["a", "b"] { loop.dispatchEvent(.start(file)) }
        #expect(loop.latestModel == ["a": 100])
        try scheduler.run { try await loop.settled() }
    }

    @Test func oneOfSeveralUploadsIsCancelled() throws {
        let server = server
        let loop = Mobius.loop(update: uploads, effectHandler: cancellable(server, scheduler.executor))
            .start(from: [:])
        for file in ["a", "b", "c"] { loop.dispatchEvent(.start(file)) }
        scheduler.advance(by: .seconds(1))
        loop.dispatchEvent(.cancel("b"))
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == ["a": 100, "c": 100])
        #expect(server.cancelledFiles == ["b"])

        loop.dispatchEvent(.start("b"))
        scheduler.drain()
        loop.dispose()
        scheduler.drain()
        #expect(server.cancelledFiles == ["b", "b"])
    }

    @Test func aLoopCancelsNoUploadOfAnotherLoop() throws {
        let builder = Mobius.loop(update: uploads, effectHandler: cancellable(server, scheduler.executor))
        let (first, second) = (builder.start(from: [:]), builder.start(from: [:]))
        first.dispatchEvent(.start("a"))
        scheduler.advance(by: .seconds(1))
        second.dispatchEvent(.cancel("a"))
        try scheduler.run { try await first.settled() }
        #expect(first.latestModel == ["a": 100])
        #expect(server.cancelledFiles.isEmpty)
    }
}
