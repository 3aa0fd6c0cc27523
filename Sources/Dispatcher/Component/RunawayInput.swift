/// An input that was dropped because an observer, or an action, answers its own inputs without end.
///
/// A component counts, for each input that comes from outside, the inputs that follow from it synchronously and whose
/// sender is already among their causes. If there are more than `maximumChain`, no further one is processed. The state
/// stays as it is, and the component goes on with other inputs. ``Component/onError(_:)`` gets this error and the first
/// dropped input; if nothing observes errors, it is written to standard error.
///
/// Inputs that pass through a task, such as those of a workflow that has waited, are never counted and never dropped.
///
/// An error observer may send inputs. If that leads to another endless chain, its report goes to standard error only.
public struct RunawayInput: Error, CustomStringConvertible {
    /// The last inputs, at most sixteen. The last one was dropped.
    public let causes: [String]

    /// The sender, the last inputs and the remedies.
    public let description: String
}
