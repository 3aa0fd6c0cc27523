/// An error that reports an endless chain of inputs: an observer or an action kept answering its own inputs.
///
/// If an observer or an action sends an input while another input is being processed, that other input is a cause of
/// the new input. The causes of the other input are causes of the new input, too.
///
/// An input is counted if its sender has already sent one of its causes. Each observer is a sender of its own. All
/// actions together are one sender. If actions send several inputs while one input is processed, at most one of these
/// inputs is counted.
///
/// If more than `maximumChain` counted inputs follow from one input, further counted inputs are dropped. The state
/// stays as it is, and the component goes on with other inputs.
///
/// Observers that are registered with ``Component/onError(_:)`` receive this error and the first dropped input. If
/// nothing observes errors, the error is written to standard error.
///
/// Inputs that pass through a task, such as those of an asynchronous workflow, are never counted and never dropped.
///
/// An error observer may send inputs. If these inputs lead to another endless chain, the report of that chain goes only
/// to standard error.
public struct RunawayInput: Error, CustomStringConvertible {
    /// The last inputs of the chain, at most sixteen. The last input was dropped.
    public let causes: [String]

    /// A message that names the sender, the last inputs and the remedies.
    public let description: String
}
