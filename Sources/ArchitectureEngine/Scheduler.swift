/// The place where messages are processed.
@usableFromInline
package enum Scheduler: Sendable {
    /// Each message is processed on the thread that sends it, unless another thread is draining. A drain that has
    /// reached `MessageQueue.fairShare` continues in a task on the executor; `nil` is the global executor.
    case inline((any TaskExecutor)?)
    /// Messages are processed asynchronously. The closure receives a function that drains the message queue. It must
    /// call the function later, and never two such functions at once, for example on a serial dispatch queue.
    case queue(@Sendable (@escaping @Sendable () -> Void) -> Void)

    /// The executor of the tasks that messages start; `nil` is the global executor.
    package var executor: (any TaskExecutor)? { if case .inline(let executor) = self { executor } else { nil } }
}

/// The default of `maximumChain`: the maximum number of messages of one chain whose sender is already among their
/// causes.
@inlinable
package var defaultMaximumChain: Int { 2_000_000 }
