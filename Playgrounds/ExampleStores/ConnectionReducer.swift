import Effects

/// A server that refuses is there; one that does not answer is not, until it does.
package let connectionReducer: ReducerFn<Connection> = { connection, action in
    guard let answer = action as? any Answer else { return }
    if !answer.isHeard {
        connection = .broken
    } else if connection == .broken {
        connection = .restored
    }
}
