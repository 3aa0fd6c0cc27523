import Loop

/// What the player begins with at each start: what was under way when it was stopped is not any more.
package let playerInitiate: Initiate<PlayerModel, PlayerEffect> = { model in
    First(
        model: model.copy {
            if case .fetching = $0.users { $0.users = .none }
            if case .stopping = $0.playback { $0.playback = .stopped }
            $0.isEnding = false
        })
}
