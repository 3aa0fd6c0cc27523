import ArchitectureEngine
import FunctionalCore
public import Observation

/// A value that is computed from the model of a loop or a controller, for views.
///
/// ```swift
/// Text(loop.select(\.title).value)
/// ```
///
/// It retains the loop or the controller, and may be created inline where it is used.
public final class LoopSelection<Value: Sendable>: Observable, Sendable {
    private let read: @Sendable () -> Value

    init(_ read: @escaping @Sendable () -> Value) {
        self.read = read
    }

    /// The current value. May be read from any thread. Traps in the update function.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. A tracked read notifies once, when the value
    /// differs from the value that was read. Other changes of the model do not notify. The notification arrives on the
    /// main actor, after the change.
    ///
    /// - Complexity: One call of the selector. While a read is tracked, each new model calls the selector once.
    public var value: Value { read() }
}

extension MobiusLoop {
    /// Returns the value that `selector` computes from the model, for views that should be updated only when this value
    /// changes.
    ///
    /// - Parameter selector: A key path, or a function that returns the value for a model.
    public func select<Value: Equatable & Sendable>(
        _ selector: @escaping @Sendable (Model) -> Value
    ) -> LoopSelection<Value> {
        LoopSelection { [self] in
            runtime.observation.read(
                // A tracked read must not retain the loop.
                part: { [weak runtime = self.runtime, core = runtime.core] in
                    runtime?.expectTracking()
                    return selector(core.read { $0.value })
                }, by: ==)
        }
    }
}

extension MobiusController {
    /// Returns the value that `selector` computes from the model, also across stops and starts; see `select` of a loop.
    ///
    /// - Parameter selector: A key path, or a function that returns the value for a model.
    public func select<Value: Equatable & Sendable>(
        _ selector: @escaping @Sendable (Model) -> Value
    ) -> LoopSelection<Value> {
        LoopSelection { [self] in
            // A tracked read must not retain the controller. After its end, nothing changes.
            observation.read(
                part: { [weak self] in self.map { selector($0.trackedModel) } }, by: { $1 == nil || $0 == $1 })!
        }
    }

    /// The model, for code that may be tracked. The bridge has counted the read before.
    private var trackedModel: Model {
        switch phase {
        case .stopped(let model): return model
        case .running(let session):
            session.runtime.expectTracking()
            return session.runtime.model
        }
    }
}
