import Loop
import Synchronization

/// The player's deck: an event source that depends on the model.
///
/// The deck starts when the model is playing, and sends an event each second. It stops when `stopPlayback()` is called
/// or when the loop is disposed of.
package final class Deck: Connectable, Sendable {
    private let playing = Mutex<Task<Void, Never>?>(nil)
    private let waitASecond: @Sendable () async throws -> Void
    private let executor: (any TaskExecutor)?

    package init(clock: some Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil) {
        self.executor = executor
        waitASecond = { try await clock.sleep(for: .seconds(1)) }
    }

    package func connect(_ consumer: @escaping Consumer<PlayerEvent>) -> Connection<PlayerModel> {
        Connection(
            acceptClosure: { [self] model in if case .playing = model.playback { play(telling: consumer) } },
            disposeClosure: { [self] in stopPlayback() }
        )
    }

    package func stopPlayback() {
        playing.withLock { task in
            task?.cancel()
            task = nil
        }
    }

    private func play(telling consumer: @escaping Consumer<PlayerEvent>) {
        playing.withLock { task in
            if task != nil { return }
            task = Task(executorPreference: executor) { [waitASecond] in
                while (try? await waitASecond()) != nil { consumer(.secondPassed) }
            }
        }
    }
}
