import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Starts a task that runs a subscription, and that sends the inputs of the subscription. Returns the work item of
    /// the subscription.
    func start<Environment>(
        _ subscription: Subscription<Environment, Input>, in environment: @escaping @Sendable () -> Environment
    ) -> Work {
        let (work, context) = (Work(), core.currentContext)
        let traced = core.tracer?.begin(subscription.id, .subscription)
        traced?.suspend()
        tasks.begin(work, in: context, on: executor) { [self] in
            await traced.runAsync {
                var failure: (any Error)?
                do {
                    if !work.isCancelled {
                        try await subscription.run(environment()) { [self] input in
                            // The subscription may call this closure outside of the task.
                            context.values.bind { traced.run { send(input, of: work) } }
                        }
                    }
                } catch {
                    failure = error
                }
                // The end is a message, too, so that the inputs that the subscription has sent are processed first.
                perform { [self, failure] in
                    if work.isCancelled {
                        traced?.cancel()
                    } else if let failure {
                        traced?.fail(failure)
                        traced.asCause { report(failure, subscription.id) }
                    } else {
                        traced?.end()
                    }
                    work.end()
                }
            }
        }
        return work
    }

    private func send(_ input: Input, of subscription: Work) {
        _ = sendThroughQueue(.subscribed(input, subscription))
    }
}
