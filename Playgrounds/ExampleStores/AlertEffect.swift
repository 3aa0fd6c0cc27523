import Effects

/// Returns an effect that reports each failed request and each input that was not understood.
package func alertEffect(_ alert: @escaping @Sendable (_ reason: String) -> Void) -> Effect<Void> {
    Effect(dispatch: false) { actions in
        actions
            .ofTypes(RequestFailed.self, Misunderstood.self)
            .handleEvents { action in
                switch action {
                case let failure as RequestFailed: alert("\(failure.error)")
                case let mistake as Misunderstood: alert(mistake.reason)
                default: break
                }
            }
    }
}
