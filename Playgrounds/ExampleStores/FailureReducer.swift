import Effects

/// Whether anything has failed so far.
package let failureReducer: ReducerFn<Bool> = { hasFailed, action in
    if action is RequestFailed || action is Misunderstood { hasFailed = true }
}
