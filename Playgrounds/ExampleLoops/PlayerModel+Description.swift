extension PlayerModel: CustomStringConvertible {
    /// The model on one line.
    package var description: String {
        "\(playback) | \(users)"
    }
}

extension PlayerModel.Playback: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stopped: "stopped"
        case .playing(let seconds): "playing \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        case .stopping: "stopping"
        }
    }
}

extension PlayerModel.Users: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no users"
        // In quotes, because typed text may contain control characters.
        case .fetching(let ids): "fetching \(ids.map(\.debugDescription).joined(separator: ", "))"
        case .fetched(let list): "\(list)"
        }
    }
}
