// The code of the page about effects, with these differences:
// - `ActionStream` replaces `Publisher` and `AnyPublisher`, `.just(…)` replaces `Just(…)`, and there is no
//   `eraseToAnyPublisher()`;
// - the request is an `async` call, because `dataTaskPublisher(for:)`, `map` and `decode` belong to Combine;
// - `Set<ScopedRegistration>` replaces `Set<AnyCancellable>`;
// - `merge(with:)` replaces `Publishers.Merge`, although it is not needed: `ofTypes` takes eight types as well as five;
// - the view controller has no `override` and creates its outlets, because there is no UIKit.

import Effects
import Foundation
import FunctionalCore

// MARK: - Comparison with UIViewController-based side effects

@MainActor
class PostDetailsViewController {

    var titleLabel: UILabel! = UILabel()
    var bodyLabel: UILabel! = UILabel()

    var postId: String = "1"  // Pass from another view
    private var cancellableSet: Set<ScopedRegistration> = []
    private let store: Store<AppState>

    init(store: Store<AppState>) {
        self.store = store
    }

    func viewDidLoad() {
        store.dispatch(action: PostDetailsView.GetPost(id: postId))
        store.select(selectPostDetailsTitle)
            .assign(to: \.text, on: titleLabel)
            .store(in: &cancellableSet)
        store.select(selectPostDetailsBody)
            .assign(to: \.text, on: bodyLabel)
            .store(in: &cancellableSet)
    }
}

// MARK: - Writing effects

extension PostDetailsView {
    static let getPostEffect = Effect(dispatch: true) { actions in
        actions
            .ofType(GetPost.self)
            .flatMap(getPostAPI)
    }

    static func getPostAPI(action: GetPost) -> ActionStream<any Action> {
        guard let url = URL(string: "https://jsonplaceholder.typicode.com/posts/\(action.id)") else {
            return .just(GetPostError())
        }
        let session = URLSession(configuration: .default, delegate: ServerTrustDelegate(), delegateQueue: .main)
        return ActionStream {
            let (data, _) = try await session.data(from: url)
            let post = try JSONDecoder().decode(Post.self, from: data)
            return GetPostSuccess(post: post)
        }
        .replaceError(with: GetPostError())
    }
}

// MARK: - Non-dispatching effects

extension DocumentsView {
    static let deleteEffect = Effect(dispatch: false) { actions in
        actions
            .ofType(DeleteDocument.self)
            .handleEvents(receiveOutput: { action in print("Document \(action.id) deleted.") })
            .eraseActionType()
    }
}

// MARK: - Registering effects

func permanentEffectsExample(reducers: @escaping ReducerFn<AppState>) -> Store<AppState> {
    let store = Store(reducer: reducers, initialState: AppState(), effects: [PostDetailsView.getPostEffect])
    return store
}

@MainActor
class PostAlerts {
    var showAlert = false

    func listen(to store: Store<AppState>) {
        typealias GetPostError = PostDetailsView.GetPostError

        let showAlertOnError = Effect(dispatch: false) { actions in
            actions.ofType(GetPostError.self)
                .handleEvents(receiveOutput: { [weak self] _ in
                    self?.showAlert = true
                })
                .eraseActionType()
        }
        store.register(showAlertOnError)
    }
}

// MARK: - Advanced: more than five action types

func whitelistExamples(_ handle: @escaping @Sendable (any Action) -> Void) -> [Effect<Void>] {
    [
        Effect(dispatch: false) { actions in
            let actionsWhitelist =
                actions.ofTypes(Action1.self, Action2.self, Action3.self, Action4.self, Action5.self)
                .merge(with: actions.ofTypes(Action6.self, Action7.self, Action8.self))
            return actionsWhitelist.handleEvents(receiveOutput: handle)
        },
        Effect(dispatch: false) { actions in
            let actionsWhitelist = actions.ofTypes(
                Action1.self, Action2.self, Action3.self, Action4.self, Action5.self,
                Action6.self, Action7.self, Action8.self
            )
            return actionsWhitelist.handleEvents(receiveOutput: handle)
        },
    ]
}
