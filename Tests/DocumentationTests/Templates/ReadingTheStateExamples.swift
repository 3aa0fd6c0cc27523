// The code of the articles that reads the state in an action. The articles are those on getting started and on testing.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

//@block Dispatcher/GettingStarted struct Notebook

@Suite("Articles that read the state in an action", .timeLimit(.minutes(10)))
struct ReadingTheStateExampleTests {
    @Test func save() async {
        let written = Record<[String]>()
        let write: @Sendable ([String]) async throws -> Void = { items in written.append(items) }

        //@block Dispatcher/GettingStarted let component = Component(initialState: Notes

        #expect(written.values == [["milk"]])
        #expect(component.state.isSaved)
    }

    @Test func widened() async {
        struct Services: Sendable { var notebook: Notebook }
        struct App: Equatable, Sendable { var notes = Notes() }
        enum AppInput: AutoPrism { case notes(NotesInput) }

        let written = Record<[String]>()
        let write: @Sendable ([String]) async throws -> Void = { items in written.append(items) }

        //@block Dispatcher/GettingStarted var app: StateDispatcher<Services

        component.send(.notes(.add("milk")))
        component.send(.notes(.add("tea")))
        await component.send(.notes(.save)).finish()
        #expect(written.values == [["milk", "tea"]])
    }

    //@block Dispatcher/TestingADispatcher @Test func aSaveWritesTheItems()
}
