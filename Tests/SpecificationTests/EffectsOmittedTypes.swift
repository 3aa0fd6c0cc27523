// The declarations that the page about effects uses and leaves out.

import Effects
import Foundation
import TestSupport

struct AppState: Equatable {
    var post: Post?
    var hasFailed = false
}

struct Post: Codable, Equatable {
    let title: String
    let body: String
}

enum PostDetailsView {
    struct GetPost: Action { let id: String }
    struct GetPostSuccess: Action { let post: Post }
    struct GetPostError: Action {}

    static let reducer: ReducerFn<AppState> = combineReducers(
        on(GetPostSuccess.self) { state, success in state = AppState(post: success.post) },
        on(GetPostError.self) { state, _ in state.hasFailed = true }
    )
}

let selectPostDetailsTitle = createSelector(\AppState.post) { $0?.title ?? "" }
let selectPostDetailsBody = createSelector(\AppState.post) { $0?.body ?? "" }

struct DeleteDocument: Action { let id: String }

enum DocumentsView {
    static let printed = Record<String>()

    static func print(_ text: String) {
        printed.append(text)
    }
}

struct Action1: Action {}
struct Action2: Action {}
struct Action3: Action {}
struct Action4: Action {}
struct Action5: Action {}
struct Action6: Action {}
struct Action7: Action {}
struct Action8: Action {}
struct Action9: Action {}

@MainActor class UILabel {
    var text: String?
}

// MARK: - A network

struct ServerTrustDelegate {}

/// Replaces Foundation's `URLSession`. A test sets the page at each address.
struct URLSession {
    enum Configuration { case `default` }
    enum Queue { case main }
    struct NotFound: Error {}

    static let pages = Guarded<[String: String]>([:])

    init(configuration: Configuration, delegate: ServerTrustDelegate, delegateQueue: Queue) {}

    func data(from url: URL) async throws -> (Data, Void) {
        guard let page = Self.pages.withLock({ $0[url.lastPathComponent] }) else { throw NotFound() }
        return (Data(page.utf8), ())
    }
}
