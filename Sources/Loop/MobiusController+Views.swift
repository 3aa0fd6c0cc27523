import ArchitectureEngine
import Dispatch
import FunctionalCore

extension MobiusController {
    /// Connects a view to the loop, from the next start on.
    ///
    /// While the loop runs, the view is given each model on the view queue, asynchronously. Its events are sent to the
    /// loop.
    ///
    /// If the view's connection from an earlier start has not been disposed yet, the next start connects the view after
    /// this disposal; see ``stop()``. The same holds if two controllers share a view that is an object, and a stop of
    /// the other controller has not disposed its connection yet. Two controllers that run at the same time each have
    /// their own connection to the view.
    ///
    /// For a class that is not `Sendable`, the compiler reports a call to a main actor-isolated method in a nonisolated
    /// context. The reason is that such a class matches only the other overload, which is for views of the main actor.
    /// Connect such a view in a `@MainActor` function.
    ///
    /// Traps if the controller is running, and if `buffering` has a limit below 1.
    ///
    /// - Parameters:
    ///   - view: The view. The thread that starts the controller connects it, and the thread that stops the controller
    ///     disposes it; see ``start()``, ``stop()`` and ``stopAndWait()`` for exceptions.
    ///   - buffering: The policy for models that arrive faster than the view accepts them. By default, no model is
    ///     skipped. With a limit, skipped models are not buffered. With `.bufferingNewest(1)`, a slow view is given
    ///     only the latest of them; the last model is never skipped. With `.bufferingOldest`, the last model may be
    ///     skipped, and the view keeps showing an older one until the next change.
    ///   - file: The file that the message of a programmer error names.
    ///   - line: The line that the message of a programmer error names.
    /// - Returns: An identifier with which to disconnect the view.
    @discardableResult
    public func connectView<View: Connectable & Sendable>(
        _ view: View,
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        add(
            LateConnectable(of: view.connectedObject, at: .queue(viewQueue), buffering: buffering) { view.connect($0) },
            file, line)
    }

    /// Connects a view of the main actor. The view is connected, is given models, and is disposed on the main actor.
    ///
    /// A start on the main actor connects the view synchronously, unless an earlier call to the view is pending. A stop
    /// on the main actor disposes it synchronously. In all other respects this overload behaves like the overload for
    /// `Sendable` views.
    ///
    /// A class of the main actor declares an isolated conformance:
    ///
    /// ```swift
    /// extension Screen: @MainActor Connectable { … }
    /// ```
    ///
    /// For a class that is declared as `@MainActor final class Screen: Connectable`, the compiler reports that the
    /// conformance "crosses into main actor-isolated code".
    @MainActor
    @discardableResult
    public func connectView<View: Connectable>(
        _ view: View,
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        // Unchecked: the closure is formed on the main actor, and is only called there.
        let connect = Unchecked({ (consumer: @escaping Consumer<Event>) in view.connect(consumer) })
        let place = ConnectionPlace.mainActor(ActorQueue(of: MainActor.shared))
        return add(
            LateConnectable(of: view.connectedObject, at: place, buffering: buffering) { connect.value($0) }, file, line
        )
    }

    /// Disconnects the only view. Traps if the controller is running, or if it has no view or more than one.
    public func disconnectView(file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard views.count == 1 else {
                let remedy = views.isEmpty ? "connect a view first" : "use disconnectView(id:)"
                return ("was asked to disconnect its only view, but has \(views.count) views", remedy)
            }
            views = []
            return nil
        }
    }

    /// Disconnects the view that `id` was returned for. Traps if the controller is running, or if it has no such view.
    public func disconnectView(id: ViewID, file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard let index = views.firstIndex(where: { $0.id == id }) else {
                return ("was asked to disconnect a view that it does not have", "disconnect each view once")
            }
            views.remove(at: index)
            return nil
        }
    }

    private func add(_ view: LateConnectable<Model, Event>, _ file: StaticString, _ line: UInt) -> ViewID {
        switch view.buffering {
        case .bufferingNewest(let limit) where limit < 1, .bufferingOldest(let limit) where limit < 1:
            refuse("was given a view that buffers \(limit) models", "let it buffer at least 1", file, line)
        default: break
        }
        updateStopped("was given a view while running", "call stop() first", file, line) { $0.views.append(view) }
        return view.id
    }

    private func remove(
        _ file: StaticString, _ line: UInt, _ body: (inout [LateConnectable<Model, Event>]) -> (String, String)?
    ) {
        let mistake = updateStopped("was asked to disconnect a view while running", "call stop() first", file, line) {
            body(&$0.views)
        }
        if let (what, remedy) = mistake { refuse(what, remedy, file, line) }
    }
}
