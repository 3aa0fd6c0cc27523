import Dispatcher
import FunctionalCore

/// The states, the failure and the log of a dispatcher that processed an input.
///
/// Two dispatchers are equal if their traces are equal for every input, state and environment.
public struct DispatchTrace<S: Sendable>: Sendable {
    /// The number of actions that the dispatcher returned.
    public var actions = 0
    /// The state after each action that succeeded.
    public var states: [S] = []
    /// The text of the error that ended the trace, or `nil` if no action failed.
    public var failure: String?
    /// The lines that the effects wrote.
    public var log: [String] = []
}

extension DispatchTrace: Equatable where S: Equatable {}

extension StateDispatcher where S: Sendable {
    /// Runs the actions of `input` in order until one fails or is cancelled, and returns what they did.
    ///
    /// - Parameters:
    ///   - input: The input to process.
    ///   - state: The state before the first action.
    ///   - environment: Creates an environment whose effects write to the log.
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
