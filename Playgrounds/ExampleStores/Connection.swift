/// Whether the server is heard of.
package enum Connection: Sendable, Equatable {
    case unbroken
    case broken
    case restored

    /// What is to be said about it.
    package var banner: String? {
        switch self {
        case .unbroken: nil
        case .broken: "[offline]"
        case .restored: "[online again]"
        }
    }
}
