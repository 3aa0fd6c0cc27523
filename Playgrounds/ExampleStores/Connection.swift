/// The state of the connection to the server.
package enum Connection: Sendable, Equatable {
    case unbroken
    case broken
    case restored

    /// The line that reports the state, or `nil`.
    package var banner: String? {
        switch self {
        case .unbroken: nil
        case .broken: "[offline]"
        case .restored: "[online again]"
        }
    }
}
