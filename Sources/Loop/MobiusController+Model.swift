import ArchitectureEngine
import FunctionalCore
public import Observation

extension MobiusController: Observable {
    /// The model of the running loop, or the model that the next start begins with. Thread-safe.
    ///
    /// Traps in the update function: use the model that the update function is given.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read, also across stops and starts. Each new model,
    /// each start, and ``replaceModel(_:file:line:)`` notify the tracking code. Notifications arrive on the main actor,
    /// after the change. Code that tracks the model on the main actor misses no notification. Code on other threads may
    /// miss a notification, and should use ``models(buffering:)``.
    public var model: Model {
        let isTracked = ObservationBridge.trackRead(of: observation)
        switch phase {
        case .stopped(let model): return model
        case .running(let session):
            if isTracked { session.runtime.expectTracking() }
            return session.runtime.model
        }
    }

    /// Replaces the model that the next start begins with. Traps if the controller is running.
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - file: The file that the message of a programmer error names.
    ///   - line: The line that the message of a programmer error names.
    public func replaceModel(_ model: Model, file: StaticString = #fileID, line: UInt = #line) {
        updateStopped("was given another model while running", "call stop() first, or send an event", file, line) {
            $0.phase = .stopped(model)
        }
        if observation.isTracked { observation.notify() }
    }

    /// Returns an asynchronous sequence of the current model and each new model. It continues across stops and starts.
    ///
    /// Each later start yields the model that its loop starts from, even if that model is not new. A model that
    /// ``replaceModel(_:file:line:)`` sets is yielded when the controller starts from it. The sequence does not retain
    /// the controller, and ends when the controller is deallocated. Traps in the update function.
    ///
    /// - Parameter buffering: The policy for models that arrive faster than they are consumed. By default, no model is
    ///   skipped; `.bufferingNewest(1)` keeps only the latest model.
    public func models(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Model> {
        let (models, continuation) = AsyncStream.makeStream(of: Model.self, bufferingPolicy: buffering)
        let stream = ModelStream(continuation)
        let phase = update { state in
            state.streams.removeAll { $0.hasEnded }
            state.streams.append(stream)
            return state.phase
        }
        switch phase {
        case .stopped(let model):
            stream.begin(with: model)
        case .running(let session):
            // If the loop is disposed before the observer is registered, the observer is cancelled, and the stream
            // begins with the last model.
            let cancellation = Cancellation { [weak core = session.runtime.core] in
                if let core { stream.begin(with: core.read { $0.value }) }
            }
            _ = session.runtime.attach(stream.observer(cancellation))
        }
        return models
    }
}
