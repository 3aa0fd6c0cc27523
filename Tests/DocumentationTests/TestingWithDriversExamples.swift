// The code and the messages of the page on testing with drivers.

import ArchitectureTesting
import Dispatcher
import Effects
import Foundation
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("The page on testing with drivers", .timeLimit(.minutes(10)))
struct TestingWithDriversTests {
    struct API: Sendable {
        var load: @Sendable (Int) async throws -> String
        var delete: @Sendable (Int) async throws -> Void
    }

    struct Screen: Equatable, Sendable {
        enum Phase: Equatable, Sendable {
            case empty, loading
            case loaded(String)
        }
        var phase = Phase.empty
    }

    // MARK: - A component

    enum ScreenInput: Equatable, Sendable {
        case open(Int)
        case delete(Int)
    }

    let screen = StateDispatcher<API, Screen, ScreenInput>.workflow { input in
        switch input {
        case .open(let id):
            [
                .pure(.update { $0.phase = .loading }),
                EnvIO { api in
                    let text = try await api.load(id)
                    return .update { $0.phase = .loaded(text) }
                },
            ]
        case .delete(let id):
            [
                EnvIO { api in
                    try await api.delete(id)
                    return .update { $0.phase = .empty }
                }
            ]
        }
    }

    @Test func anOpenedPostIsLoaded() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let api = API(
            load: calls.stub("load") { id in
                try await time.clock.sleep(for: .seconds(1))
                return "post \(id)"
            },
            delete: calls.unstubbed("delete"))
        let test = TestDriver(screen, state: Screen(), environment: api, time: time, calls: calls)

        let sent = test.send(.open(5)) { $0.phase = .loading }
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.phase = .loaded("post 5") }
        test.finish()
    }

    struct Draft: Equatable, Sendable {
        var isSaving = false
        var edits = 0
    }

    enum DraftInput: Equatable, Sendable { case save, count }

    let drafts = StateDispatcher<Void, Draft, DraftInput>.workflow { input in
        switch input {
        case .save: [.pure(.update { $0.isSaving = true }), .pure(.update { $0.isSaving = false })]
        case .count: [.pure(.update { $0.edits += 1 }), .pure(.update { $0.edits += 1 })]
        }
    }

    @Test func aChangeThatIsUndoneIsStated() {
        let test = TestDriver(drafts, state: Draft(), environment: ())

        test.send(.save) { draft in
            draft.isSaving = true
            draft.isSaving = false
        }
        test.finish()
    }

    struct Offline: Error {}

    @Test func aDeletionThatFailsChangesNothing() {
        let api = API(load: { id in "post \(id)" }, delete: { _ in throw Offline() })
        let test = TestDriver(screen, state: Screen(), environment: api)

        test.send(.delete(5))
        test.expectFailure(Offline.self)
        test.finish()
    }

    // MARK: - A loop

    func slowAPI(_ clock: VirtualClock) -> API {
        API(
            load: { id in
                try await clock.sleep(for: .seconds(1))
                return "post \(id)"
            },
            delete: { _ in })
    }

    enum ScreenEvent: Equatable, Sendable {
        case open(Int)
        case loaded(String)
    }
    enum ScreenEffect: Equatable, Sendable { case load(Int) }

    let update = Update<Screen, ScreenEvent, ScreenEffect> { screen, event in
        switch event {
        case .open(let id): .next(Screen(phase: .loading), effects: [.load(id)])
        case .loaded(let text): .next(Screen(phase: .loaded(text)))
        }
    }

    func router(_ api: API) -> EffectRouter<ScreenEffect, ScreenEvent> {
        EffectRouter()
            .routeCase(ScreenEffect.load).toEvent { id in
                .loaded((try? await api.load(id)) ?? "no post")
            }
    }

    @Test func anOpenedPostIsLoadedByTheLoop() {
        let time = VirtualScheduler()
        let handler = router(slowAPI(time.clock))
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler), from: Screen(), time: time)

        test.send(.open(5)) { $0.phase = .loading }
        test.effects(.load(5))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 5")) { $0.phase = .loaded("post 5") }
        test.finish()
    }

    // MARK: - A store

    struct Open: Action, Equatable { let id: Int }
    struct Loaded: Action, Equatable { let text: String }

    let reducer: ReducerFn<Screen> = combineReducers(
        on(Open.self) { screen, _ in screen.phase = .loading },
        on(Loaded.self) { screen, loaded in screen.phase = .loaded(loaded.text) }
    )
    let loading = Effect<API>.map(Open.self) { open, api in Loaded(text: try await api.load(open.id)) }

    @Test func anOpenedPostIsLoadedByTheEffect() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let api = API(
            load: calls.stub("load") { id in
                try await time.clock.sleep(for: .seconds(1))
                return "post \(id)"
            },
            delete: calls.unstubbed("delete"))
        let test = TestStore(
            reducer: reducer, state: Screen(), environment: api, effects: [loading], time: time, calls: calls)

        let sent = test.send(Open(id: 5)) { $0.phase = .loading }
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(Loaded(text: "post 5")) { $0.phase = .loaded("post 5") }
        test.finish()
    }

    @Test func anActionIsReceivedByItsType() {
        let time = VirtualScheduler()
        let test = TestStore(
            reducer: reducer, state: Screen(), environment: slowAPI(time.clock), effects: [loading], time: time)
        test.send(Open(id: 5)) { $0.phase = .loading }
        test.advance(by: .seconds(1))

        let loaded = test.receive(Loaded.self) { $0.phase = .loaded("post 5") }
        #expect(loaded?.text == "post 5")
    }

    // MARK: - Orders

    @Test func theLatestPostIsShownInEachOrder() async {
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let api = slowAPI(time.clock)
            let test = TestDriver(screen.policy(.latest), state: Screen(), environment: api, time: time)

            test.send(.open(1)) { $0.phase = .loading }
            let latest = test.send(.open(2))
            test.advance(by: .seconds(1))
            test.change(from: latest) { $0.phase = .loaded("post 2") }
            test.finish()
        }
    }

    // MARK: - Protocols

    protocol Service: Sendable {
        func load(_ id: Int) async throws -> String
    }

    struct RecordedService: Service {
        let calls: Recorder

        func load(_ id: Int) async throws -> String {
            calls.record("load", id)
            return "post \(id)"
        }
    }

    @Test func aServiceIsRecorded() async throws {
        let calls = Recorder()
        _ = try await RecordedService(calls: calls).load(5)
        calls.expectCall("load", 5)
        calls.expectNoCalls()
    }

    // MARK: - Traces

    @Test func theTraceSaysWhatHappened() async {
        let api = API(load: { id in "post \(id)" }, delete: { _ in })
        let events = TraceBuffer()
        let component = Component(
            initialState: Screen(), environment: api, trace: Trace(to: events), dispatcher: screen)

        await component.send(.open(5)).finish()

        let inputs = events.all.filter { if case .received = $0.kind { true } else { false } }
        #expect(inputs.count == 1)
    }
}

// MARK: - Messages

extension TestingWithDriversTests {
    private static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = "Sources/ArchitectureTesting/Documentation.docc/TestingWithDrivers.md"
        return (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }()

    /// Expects that `body` records one issue, whose text is a block of the page.
    private func expectMessage(sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
        let texts = Record<String>()
        withKnownIssue {
            body()
        } matching: { issue in
            texts.append(issue.comments.first?.rawValue ?? "")
            return true
        }
        let shown = texts.values.map {
            $0.replacing("DocumentationTests.TestingWithDriversTests.", with: "App.")
                .replacing(/DocumentationTests\/\w+\.swift:\d+/, with: "App/Screen.swift:12")
        }
        #expect(shown.count == 1, "\(shown)", sourceLocation: sourceLocation)
        for text in shown {
            let isOnThePage = Self.page.contains("```text\n\(text)\n```")
            #expect(isOnThePage, "Not on the page:\n\(text)", sourceLocation: sourceLocation)
        }
    }

    private func driver(
        _ time: VirtualScheduler = VirtualScheduler(), calls: Recorder? = nil, relaxing axes: TestAxes = []
    ) -> TestDriver<Screen, ScreenInput> {
        let api = slowAPI(time.clock)
        return TestDriver(
            screen, state: Screen(),
            environment: calls.map { calls in
                API(load: calls.stub("load", api.load), delete: calls.unstubbed("delete"))
            } ?? api, time: time, calls: calls, relaxing: axes)
    }

    private func testStore(_ time: VirtualScheduler = VirtualScheduler()) -> TestStore<Screen> {
        TestStore(reducer: reducer, state: Screen(), environment: slowAPI(time.clock), effects: [loading], time: time)
    }

    @Test func aChangeThatIsNotStated() {
        let test = driver()
        expectMessage {
            test.send(.open(5))
        }
        test.advance(by: .seconds(1))
        test.skip()
    }

    @Test func aChangeThatIsUndoneAndNotStated() {
        let test = TestDriver(drafts, state: Draft(), environment: ())
        expectMessage {
            test.send(.save)
        }
    }

    @Test func aClosureThatAddsToARelaxedState() {
        let test = TestDriver(drafts, state: Draft(), environment: (), relaxing: .state)
        expectMessage {
            test.send(.count) { $0.edits += 1 }
        }
        #expect(test.state.edits == 2)
    }

    @Test func anotherActionThatIsReceived() {
        let test = testStore()
        test.send(Open(id: 5)) { $0.phase = .loading }
        test.advance(by: .seconds(1))
        expectMessage {
            test.receive(Loaded(text: "post 6")) { $0.phase = .loaded("post 5") }
        }
    }

    @Test @MainActor func aDriverThatAnObserverCalls() {
        let test = driver()
        let observation = test.component.observe(initial: false) { _ in
            test.send(.delete(5))
        }
        expectMessage {
            test.component.send(.open(5))
        }
        observation.cancel()
        test.advance(by: .seconds(1))
        test.skip()
    }

    @Test func anActionThatIsNotReceived() {
        let test = testStore()
        test.send(Open(id: 5)) { $0.phase = .loading }
        test.advance(by: .seconds(1))
        expectMessage {
            test.finish()
        }
    }

    @Test func anActionThatDoesNotCome() {
        let test = testStore()
        test.send(Open(id: 5)) { $0.phase = .loading }
        test.advance(by: .seconds(0.3))
        expectMessage {
            test.receive(Loaded(text: "post 5")) { $0.phase = .loaded("post 5") }
        }
        test.advance(by: .seconds(1))
        test.receive(Loaded(text: "post 5")) { $0.phase = .loaded("post 5") }
    }

    @Test func workThatIsLeft() {
        let test = driver()
        test.send(.open(5)) { $0.phase = .loading }
        test.advance(by: .seconds(0.3))
        expectMessage {
            test.finish()
        }
    }

    @Test func aFailureThatIsNotStated() {
        let test = TestDriver(
            screen, state: Screen(), environment: API(load: { _ in "" }, delete: { _ in throw Offline() }))
        test.send(.delete(5))
        expectMessage {
            test.finish()
        }
    }

    @Test func aCallWithAnotherArgument() {
        let test = driver(calls: Recorder())
        test.send(.open(5)) { $0.phase = .loading }
        expectMessage {
            test.expectCall("load", 6)
        }
        test.advance(by: .seconds(1))
        test.skip()
    }

    @Test func aCallInADriverWithoutTheRecorder() {
        expectMessage {
            let calls = Recorder()
            let api = API(load: calls.stub("load") { _ in "" }, delete: calls.unstubbed("delete"))
            let test = TestDriver(screen, state: Screen(), environment: api)
            let sent = test.send(.open(5)) { $0.phase = .loading }
            test.change(from: sent) { $0.phase = .loaded("") }
            test.finish()
        }
    }

    @Test func aCallOfAnotherDriver() {
        let (time, calls) = (VirtualScheduler(), Recorder())
        let (test, other) = (driver(time, calls: calls), driver(time, calls: calls))
        test.send(.open(5)) { $0.phase = .loading }
        expectMessage {
            other.expectCall("load", 5)
        }
        test.advance(by: .seconds(1))
        test.skip()
    }

    @Test func aCallOfAnUnstubbedFunction() {
        let test = driver(calls: Recorder())
        expectMessage {
            test.send(.delete(5))
        }
    }

    @Test func aRelaxedAxis() {
        let time = VirtualScheduler()
        let test = driver(time, relaxing: .work)
        test.send(.open(5)) { $0.phase = .loading }
        test.advance(by: .seconds(0.3))
        expectMessage {
            test.finish()
        }
    }
}
