import Effects

/// An action that ends a request.
package protocol Answer: Action {
    var request: Request { get }
    /// Whether the server responded.
    var isHeard: Bool { get }
}

extension Answer {
    package var isHeard: Bool { true }
}
