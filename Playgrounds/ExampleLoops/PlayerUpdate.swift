import Loop

/// The update function of the player. An event that does not fit the current model changes nothing.
package var playerUpdate: Update<PlayerModel, PlayerEvent, PlayerEffect> {
    Update { model, event in
        switch (event, model.playback, model.users) {
        case (.play, .stopped, _):
            .next(model.copy { $0.playback = .playing(seconds: 0) })
        case (.stop, .playing, _):
            .next(model.copy { $0.playback = .stopping }, effects: [.stopPlayback])
        case (.playbackStopped, .stopping, _):
            .next(model.copy { $0.playback = .stopped })
        case (.secondPassed, .playing(let seconds), _):
            .next(model.copy { $0.playback = .playing(seconds: seconds + 1) })
        case (.fetch(let ids), _, _):
            .next(model.copy { $0.users = .fetching(ids: ids) }, effects: [.fetchUsers(ids: ids)])
        case (.usersFetched(let list), _, .fetching):
            // Closes the player if its end waited for the fetch.
            .next(model.copy { $0.users = .fetched(list) }, effects: model.isEnding ? [.closeApplication] : [])
        case (.inputEnded, _, .fetching):
            .next(model.copy { $0.isEnding = true })
        case (.inputEnded, _, _), (.quit, _, _):
            .dispatchEffects([.closeApplication])
        case (.play, _, _), (.stop, _, _), (.playbackStopped, _, _), (.secondPassed, _, _), (.usersFetched, _, _):
            .noChange
        }
    }
}
