import Effects

/// An action with which a request ends.
package protocol Answer: Action {
    var request: Request { get }
    /// Whether the server was heard of.
    var isHeard: Bool { get }
}

extension Answer {
    package var isHeard: Bool { true }
}
