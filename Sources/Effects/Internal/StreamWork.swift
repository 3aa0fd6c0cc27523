/// A description of work that a stream has started, for a trace.
///
/// It does not contain the value that the work handles, because the trace contains the action as the cause of the work.
package struct StreamWork: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case request, program, sequence, delay, interval, timeout
        /// A wait until the clock of a policy starts an inner stream, as for `debounce` and `throttle`, or until an effect
        /// restarts.
        case pause
    }

    package let kind: Kind
    /// The place where the effect was created.
    package let effect: String

    package var description: String { "\(kind) of \(effect)" }
}
