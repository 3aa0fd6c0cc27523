/// Something that the server is asked for.
package enum Request: Sendable, Equatable {
    case list
    case show(id: Int)
    case create(Draft)
    case delete(id: Int)

    /// Whether this one is not wanted any more when `newer` comes: its effect goes on with the latest.
    func isReplaced(by newer: Request) -> Bool {
        switch (self, newer) {
        case (.list, .list), (.show, .show): true
        default: false
        }
    }
}

extension Request: CustomStringConvertible {
    /// What is being done.
    package var description: String {
        switch self {
        case .list: "listing"
        case .show(let id): "showing \(id)"
        case .create(let draft): "posting \(draft)"
        case .delete(let id): "deleting \(id)"
        }
    }
}
