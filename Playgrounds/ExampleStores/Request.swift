/// A request to the server.
package enum Request: Sendable, Equatable {
    case list
    case show(id: Int)
    case create(Draft)
    case delete(id: Int)

    /// Whether the effect of this request cancels it when `newer` begins.
    func isReplaced(by newer: Request) -> Bool {
        switch (self, newer) {
        case (.list, .list), (.show, .show): true
        default: false
        }
    }
}

extension Request: CustomStringConvertible {
    /// The activity, as in "listing".
    package var description: String {
        switch self {
        case .list: "listing"
        case .show(let id): "showing \(id)"
        case .create(let draft): "posting \(draft)"
        case .delete(let id): "deleting \(id)"
        }
    }
}
