import Loop

/// Resets the work that was in progress when the loop was stopped.
package func playerInitiate(_ model: PlayerModel) -> First<PlayerModel, PlayerEffect> {
    First(
        model: model.copy {
            if case .fetching = $0.users { $0.users = .none }
            if case .stopping = $0.playback { $0.playback = .stopped }
            $0.isEnding = false
        })
}
