import Effects

/// Marks the connection as broken after a request without an answer, and as restored after the next answer.
package let connectionReducer: ReducerFn<Connection> = { connection, action in
    guard let answer = action as? any Answer else { return }
    if !answer.isHeard {
        connection = .broken
    } else if connection == .broken {
        connection = .restored
    }
}
