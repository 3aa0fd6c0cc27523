extension Component {
    /// The source of an error that an observer of errors receives.
    ///
    /// ```swift
    /// component.onError { error, source in
    ///     switch source {
    ///     case .input(let input): print("An action for \(input) failed: \(error)")
    ///     case .subscription(let id): print("The subscription \(id) failed: \(error)")
    ///     }
    /// }
    /// ```
    public enum ErrorSource: Sendable {
        /// An action for this input failed, the clock of a policy failed while the input waited for it, or the input
        /// was dropped as a ``RunawayInput``.
        case input(Input)
        /// The subscription with this id failed.
        case subscription(SubscriptionID)
    }
}

extension Component.ErrorSource: Equatable where Input: Equatable {}

extension Component.ErrorSource: CustomStringConvertible {
    /// The description of the input or of the id.
    public var description: String {
        switch self {
        case .input(let input): "\(input)"
        case .subscription(let id): "\(id)"
        }
    }
}
