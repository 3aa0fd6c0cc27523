import Effects

/// Marks the connection as broken after a request without an answer, and as restored after the next answer.
package func connectionReducer(_ connection: inout Connection, _ action: any Action) {
    guard let answer = action as? any Answer else { return }
    if !answer.isHeard {
        connection = .broken
    } else if connection == .broken {
        connection = .restored
    }
}
