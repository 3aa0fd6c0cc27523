import Effects

/// Whether anything has failed so far.
package func failureReducer(_ hasFailed: inout Bool, _ action: any Action) {
    if action is RequestFailed || action is Misunderstood { hasFailed = true }
}
