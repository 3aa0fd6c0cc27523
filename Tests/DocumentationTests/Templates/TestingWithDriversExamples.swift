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
    //@block ArchitectureTesting/TestingWithDrivers struct API

    // MARK: - A component

    //@block ArchitectureTesting/TestingWithDrivers enum ScreenInput

    struct Draft: Equatable, Sendable {
        var isSaving = false
        var edits = 0
    }

    enum DraftInput: Equatable, Sendable { case save, count }

    let drafts = StateDispatcher<Void, Draft, DraftInput>.workflow { input in
        switch input {
        case .save: return [.pure(.update { $0.isSaving = true }), .pure(.update { $0.isSaving = false })]
        case .count: return [.pure(.update { $0.edits += 1 }), .pure(.update { $0.edits += 1 })]
        }
    }

    @Test func aChangeThatIsUndoneIsStated() {
        let test = TestDriver(drafts, state: Draft(), environment: ())

        //@block ArchitectureTesting/TestingWithDrivers test.send(.save)
        test.finish()
    }

    struct Offline: Error {}

    @Test func aDeletionThatFailsChangesNothing() {
        let api = API(load: { id in "post \(id)" }, delete: { _ in throw Offline() })
        let test = TestDriver(screen, state: Screen(), environment: api)

        //@block ArchitectureTesting/TestingWithDrivers test.send(.delete(5))
    }

    // MARK: - A loop

    //@block ArchitectureTesting/TestingWithDrivers func slowAPI(_

    // MARK: - A store

    //@block ArchitectureTesting/TestingWithDrivers struct Open

    @Test func anActionIsReceivedByItsType() {
        let time = VirtualScheduler()
        let test = TestStore(
            reducer: reducer, state: Screen(), environment: slowAPI(time.clock), effects: [loading], time: time)
        test.send(Open(id: 5)) { $0.phase = .loading }
        test.advance(by: .seconds(1))

        //@block ArchitectureTesting/TestingWithDrivers let loaded
    }

    //@block ArchitectureTesting/TestingWithDrivers struct Keep

    // MARK: - A selection

    //@block ArchitectureTesting/TestingWithDrivers @Test func eachPhaseIsPrintedOnce()

    // MARK: - Other threads

    //@block ArchitectureTesting/TestingWithDrivers @MainActor final class Library

    // MARK: - Orders

    //@block ArchitectureTesting/TestingWithDrivers @Test func theLatestPostIsShownInEachOrder()

    // MARK: - Protocols

    protocol Service: Sendable {
        func load(_ id: Int) async throws -> String
    }

    //@block ArchitectureTesting/TestingWithDrivers struct RecordedService

    @Test func aServiceIsRecorded() async throws {
        let calls = Recorder()
        _ = try await RecordedService(calls: calls).load(5)
        calls.expectCall("load", 5)
        calls.expectNoCalls()
    }

    // MARK: - Traces

    @Test func theTraceSaysWhatHappened() async {
        let api = API(load: { id in "post \(id)" }, delete: { _ in })
        //@block ArchitectureTesting/TestingWithDrivers let events

        let inputs = events.all.filter { if case .received = $0.kind { true } else { false } }
        #expect(inputs.count == 1)
    }
}

// MARK: - Messages

extension TestingWithDriversTests {
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
                .replacing(/DocumentationTests\/\w+\.md:\d+/, with: "App/Screen.swift:12")
        }
        #expect(shown.count == 1, "\(shown)", sourceLocation: sourceLocation)
        let page = try? PackageFolder.text(of: "Sources/ArchitectureTesting/Documentation.docc/TestingWithDrivers.md")
        for text in shown {
            let isOnThePage = page?.contains("```text\n\(text)\n```") == true
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

    @Test func workThatWaitsForAnotherThread() {
        let stream = AsyncStream.makeStream(of: String.self)
        let api = API(load: { _ in await stream.stream.first { _ in true } ?? "" }, delete: { _ in })
        let test = TestDriver(screen, state: Screen(), environment: api)
        test.send(.open(5)) { $0.phase = .loading }
        expectMessage {
            test.finish()
        }
        stream.continuation.finish()
        test.skip()
    }

    @Test func aWaitThatIsCancelled() async {
        let texts = Record<String>()
        await withKnownIssue {
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let test = driver()
                let sent = test.send(.open(5)) { $0.phase = .loading }
                test.advance(by: .seconds(1))
                test.change(from: sent) { $0.phase = .loaded("post 5") }
                await test.eventually { test.change(from: sent) { $0.phase = .empty } }
            }.value
        } matching: { issue in
            texts.append(issue.comments.first?.rawValue ?? "")
            return true
        }
        expectMessage { for text in texts.values { Issue.record(Comment(rawValue: text)) } }
    }

    @Test func anotherThreadThatIsJustInTime() {
        let (time, stream) = (VirtualScheduler(), AsyncStream.makeStream(of: String.self))
        let api = API(load: { _ in await stream.stream.first { _ in true } ?? "" }, delete: { _ in })
        let test = TestDriver(screen, state: Screen(), environment: api, time: time)
        let sent = test.send(.open(5)) { $0.phase = .loading }
        time.start { onThreads(1) { _ in stream.continuation.yield("post 5") } }
        #if compiler(>=6.3)
            expectMessage {
                test.change(from: sent) { $0.phase = .loaded("post 5") }
            }
        #endif
        test.skip()
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
