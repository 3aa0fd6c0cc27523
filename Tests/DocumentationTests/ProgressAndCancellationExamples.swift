// The code of the article on progress and cancellation.

import Loop
import Synchronization
import Testing
import VirtualTime

@Suite("The article on progress and cancellation", .timeLimit(.minutes(10)))
struct ProgressAndCancellationExampleTests {
    enum UploadEvent {
        case start(String)
        case cancel(String)
        case progressed(String, Int)
        case uploaded(String)
        case failed(String)
    }
    enum UploadEffect {
        case upload(String)
        case cancel(String)
    }

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

    final class Uploads: EffectHandler {
        private struct Upload {
            let task: Task<Void, Never>
            let callback: EffectCallback<UploadEvent>
        }

        private let server: Server
        private let executor: (any TaskExecutor)?
        private let uploads = Mutex<[String: Upload]>([:])

        init(_ server: Server, executor: (any TaskExecutor)? = nil) {
            self.server = server
            self.executor = executor
        }

        func handle(_ file: String, _ callback: EffectCallback<UploadEvent>) -> any Disposable {
            cancel(file)
            uploads.withLock { uploads in
                let task = Task(executorPreference: executor) { [self] in
                    do {
                        try await server.upload(file) { percent in callback.send(.progressed(file, percent)) }
                        callback.end(with: .uploaded(file))
                    } catch {
                        callback.end(with: .failed(file))
                    }
                    remove(file, callback)
                }
                uploads[file] = Upload(task: task, callback: callback)
            }
            return AnonymousDisposable { [self] in remove(file, callback)?.task.cancel() }
        }

        func cancel(_ file: String) {
            guard let upload = uploads.withLock({ $0.removeValue(forKey: file) }) else { return }
            upload.callback.end()
            upload.task.cancel()
        }

        @discardableResult
        private func remove(_ file: String, _ callback: EffectCallback<UploadEvent>) -> Upload? {
            uploads.withLock { uploads in
                uploads[file]?.callback === callback ? uploads.removeValue(forKey: file) : nil
            }
        }
    }

    func cancellable(_ server: Server, _ executor: (any TaskExecutor)?) -> EffectRouter<UploadEffect, UploadEvent> {
        let uploads = Uploads(server, executor: executor)
        return EffectRouter(executor: executor)
            .routeCase(UploadEffect.upload).to(uploads)
            .routeCase(UploadEffect.cancel).to { file in uploads.cancel(file) }
    }

    func withCallback(_ server: Server, _ executor: (any TaskExecutor)?) -> EffectRouter<UploadEffect, UploadEvent> {
        EffectRouter(executor: executor)
            .routeCase(UploadEffect.cancel).to { _ in }
            .routeCase(UploadEffect.upload).to { file, callback in
                let task = Task(executorPreference: executor) {
                    do {
                        try await server.upload(file) { percent in callback.send(.progressed(file, percent)) }
                        callback.end(with: .uploaded(file))
                    } catch {
                        callback.end(with: .failed(file))
                    }
                }
                return task.asDisposable
            }
    }

    func withSequence(_ server: Server, _ executor: (any TaskExecutor)?) -> EffectRouter<UploadEffect, UploadEvent> {
        EffectRouter(executor: executor)
            .routeCase(UploadEffect.cancel).to { _ in }
            .routeCase(UploadEffect.upload).toEvents { file in
                AsyncStream { continuation in
                    let task = Task(executorPreference: executor) {
                        do {
                            try await server.upload(file) { percent in continuation.yield(.progressed(file, percent)) }
                            continuation.yield(.uploaded(file))
                        } catch {
                            continuation.yield(.failed(file))
                        }
                        continuation.finish()
                    }
                    continuation.onTermination = { _ in task.cancel() }
                }
            }
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

        var cancelledFiles: [String] { cancelled.files.withLock { $0 } }
    }

    private let scheduler = VirtualScheduler()
    private var server: Server { Server(clock: scheduler.clock) }

    @Test func aCallbackSendsProgressAndCountsAsWork() throws {
        let loop = Mobius.loop(update: uploads, effectHandler: withCallback(server, scheduler.executor))
            .start(from: [:])
        loop.dispatchEvent(.start("a"))
        scheduler.drain()
        #expect(loop.latestModel == ["a": 10])
        scheduler.advance(by: .seconds(1))
        #expect(loop.latestModel == ["a": 50])
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == ["a": 100])
    }

    @Test func aSequenceSendsProgressAndDoesNotCountAsWork() throws {
        let server = server
        let loop = Mobius.loop(update: uploads, effectHandler: withSequence(server, scheduler.executor))
            .start(from: [:])
        loop.dispatchEvent(.start("a"))
        try scheduler.run { try await loop.settled() }
        #expect(scheduler.clock.now == .zero)
        scheduler.advance(by: .seconds(2))
        #expect(loop.latestModel == ["a": 100])

        loop.dispatchEvent(.start("b"))
        scheduler.drain()
        loop.dispose()
        scheduler.drain()
        #expect(server.cancelledFiles == ["b"])
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

    /// Starts an upload in one loop, and cancels the upload of the same file in another loop.
    private func modelAfterCancellingInAnotherLoop(
        _ builder: Mobius.Builder<[String: Int], UploadEvent, UploadEffect>
    ) throws -> [String: Int] {
        let (first, second) = (builder.start(from: [:]), builder.start(from: [:]))
        first.dispatchEvent(.start("a"))
        scheduler.advance(by: .seconds(1))
        second.dispatchEvent(.cancel("a"))
        try scheduler.run { try await first.settled() }
        return first.latestModel
    }

    @Test func loopsShareWhatAHandlerCaptures() throws {
        let (server, scheduler) = (server, scheduler)
        let builder = Mobius.loop(update: uploads, effectHandler: cancellable(server, scheduler.executor))
        #expect(try modelAfterCancellingInAnotherLoop(builder) == ["a": 50])
        #expect(server.cancelledFiles == ["a"])
    }

    @Test func eachLoopHasAHandlerOfItsOwn() throws {
        let (server, executor) = (server, scheduler.executor)

        let effectHandler = AnyConnectable<UploadEffect, UploadEvent> { consumer in
            cancellable(server, executor).connect(consumer)
        }

        let builder = Mobius.loop(update: uploads, effectHandler: effectHandler)
        #expect(try modelAfterCancellingInAnotherLoop(builder) == ["a": 100])
        #expect(server.cancelledFiles.isEmpty)
    }
}
