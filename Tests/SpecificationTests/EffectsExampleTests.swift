import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EffectsExampleTests {
    private let page = #"{"title": "A title", "body": "A body", "userId": 1}"#
    private let post = Post(title: "A title", body: "A body")
    private let store = permanentEffectsExample(reducers: PostDetailsView.reducer)

    /// The first state for which `condition` holds.
    private func state(where condition: @escaping @Sendable (AppState) -> Bool) async -> AppState? {
        await store.states().first(where: condition)
    }

    @Test func aPostIsFetched() async {
        URLSession.pages.withLock { $0["fetched"] = page }
        store.dispatch(action: PostDetailsView.GetPost(id: "fetched"))
        #expect(await state { $0 != AppState() } == AppState(post: post))
    }

    @Test func aMissingPostIsAnErrorAndTheNextPostIsFetched() async {
        URLSession.pages.withLock { $0["there"] = page }
        store.dispatch(action: PostDetailsView.GetPost(id: "not there"))
        #expect(await state { $0 != AppState() } == AppState(hasFailed: true))
        store.dispatch(action: PostDetailsView.GetPost(id: "there"))
        #expect(await state { $0.post != nil } == AppState(post: post))
    }

    @Test func anInvalidPostIsAnError() async {
        URLSession.pages.withLock { $0["broken"] = "[]" }
        store.dispatch(action: PostDetailsView.GetPost(id: "broken"))
        #expect(await state { $0 != AppState() } == AppState(hasFailed: true))
    }

    @Test func deletingADocumentLogsItOnceAndDispatchesNothing() {
        let actions = Record<any Action>()
        let store = Store(
            reducer: { _, action in actions.append(action) }, initialState: AppState(),
            effects: [DocumentsView.deleteEffect])
        store.dispatch(action: DeleteDocument(id: "7"))
        #expect(DocumentsView.printed.values == ["Document 7 deleted."])
        #expect(actions.values.count == 1)
    }

    @Test @MainActor func anAlertIsShownOnErrorsAfterTheRegistrationIsDropped() {
        let alerts = PostAlerts()
        alerts.listen(to: store)
        store.dispatch(action: DeleteDocument(id: ""))
        #expect(!alerts.showAlert)
        store.dispatch(action: PostDetailsView.GetPostError())
        #expect(alerts.showAlert)
    }

    @Test @MainActor func theAlertEffectDoesNotRetainItsOwner() {
        var alerts: PostAlerts? = PostAlerts()
        weak let weakAlerts = alerts
        alerts?.listen(to: store)
        alerts = nil
        #expect(weakAlerts == nil)
        store.dispatch(action: PostDetailsView.GetPostError())
    }

    @Test(arguments: [0, 1])
    func eightTypesPassTheWhitelistInOrderAndOnce(_ index: Int) {
        let names = Record<String>()
        let effect = whitelistExamples { names.append("\(type(of: $0))") }[index]
        let store = Store(reducer: PostDetailsView.reducer, initialState: AppState(), effects: [effect])
        let actions: [any Action] = [
            Action8(), Action1(), Action9(), Action2(), Action3(), Action4(), Action5(), Action6(), Action7(),
        ]
        for action in actions { store.dispatch(action: action) }
        #expect(names.values == [8, 1, 2, 3, 4, 5, 6, 7].map { "Action\($0)" })
    }

    @Test @MainActor func theLabelsFollowThePost() async {
        URLSession.pages.withLock { $0["shown"] = page }
        let controller = PostDetailsViewController(store: store)
        controller.postId = "shown"
        controller.viewDidLoad()
        _ = await state { $0.post != nil }
        // Runs after the assignments that are enqueued on the main actor.
        await Task { @MainActor in }.value
        #expect(controller.titleLabel.text == "A title")
        #expect(controller.bodyLabel.text == "A body")
    }

    @Test @MainActor func theSubscriptionDoesNotRetainTheLabels() async throws {
        var controller: PostDetailsViewController? = PostDetailsViewController(store: store)
        controller?.viewDidLoad()
        // There is no such post, so the labels keep what the subscription has set first. If the answer comes at the same
        // time, the subscription sets it later.
        try await store.settledIncludingObservers()
        #expect(controller?.titleLabel.text == "")
        #expect(controller?.bodyLabel.text == "")
        weak let label = controller?.titleLabel
        controller = nil
        #expect(label == nil)
    }
}
