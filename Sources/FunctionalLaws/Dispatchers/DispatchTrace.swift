import Dispatcher
import FunctionalCore

/// What a dispatcher did with an input: two dispatchers are the same where these are, in every state and environment.
public struct DispatchTrace<S: Sendable>: Sendable {
    /// How many actions there were.
    public var actions = 0
    /// The state after each action that ran.
    public var states: [S] = []
    /// The failure that ended it, as text.
    public var failure: String?
    /// What the effects did.
    public var log: [String] = []
}

extension DispatchTrace: Equatable where S: Equatable {}

extension StateDispatcher where S: Sendable {
    /// Runs the actions of `input`, one after the other until one fails, and answers what they did.
    ///
    /// - Parameter environment: Makes an environment whose effects write what they do into the log.
    public func trace(
        _ input: Input, state: S, environment: (EffectLog) -> Environment
    ) async -> DispatchTrace<S> {
        let log = EffectLog()
        let environment = environment(log)
        let actions = on(input)
        var trace = DispatchTrace<S>(actions: actions.count)
        var state = state
        run: for action in actions {
            switch await action.outcome(environment) {
            case .value(let change):
                change.run(&state)
                trace.states.append(state)
            case .failure(let error):
                trace.failure = "\(error)"
                break run
            case .cancelled: break run
            }
        }
        trace.log = log.lines
        return trace
    }
}
