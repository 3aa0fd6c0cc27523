// The code of the articles that reads the state in an action. The articles are those on getting started and on testing.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

struct Notebook: Sendable {
    var items: @Sendable () -> [String]
    var write: @Sendable ([String]) async throws -> Void
}
struct Notes: Equatable, Sendable { var items: [String] = [], isSaved = true }
enum NotesInput {
    case add(String)
    case save
}

let notes = StateDispatcher<Notebook, Notes, NotesInput>.effectful { input in
    switch input {
    case .add(let item):
        .pure(
            .update {
                $0.items.append(item)
                $0.isSaved = false
            })
    case .save:
        EnvIO { notebook in
            let items = notebook.items()
            try await notebook.write(items)
            return .update { $0.isSaved = $0.items == items }
        }
    }
}

@Suite("Articles that read the state in an action", .timeLimit(.minutes(10)))
struct ReadingTheStateExampleTests {
    @Test func save() async {
        let written = Record<[String]>()
        let write: @Sendable ([String]) async throws -> Void = { items in written.append(items) }

        let component = Component(
            initialState: Notes(),
            environment: { state in Notebook(items: { state().items }, write: write) },
            dispatcher: notes)
        component.send(.add("milk"))
        await component.send(.save).finish()  // writes ["milk"]

        #expect(written.values == [["milk"]])
        #expect(component.state.isSaved)
    }

    @Test func widened() async {
        struct Services: Sendable { var notebook: Notebook }
        struct App: Equatable, Sendable { var notes = Notes() }
        enum AppInput: AutoPrism { case notes(NotesInput) }

        let written = Record<[String]>()
        let write: @Sendable ([String]) async throws -> Void = { items in written.append(items) }

        let app = notes.widen(
            transformEnvironment: { (services: Services) in services.notebook },
            transformState: \App.notes,
            transformInput: AppInput.prism(for: AppInput.notes))
        let component = Component(
            initialState: App(),
            environment: { state in Services(notebook: Notebook(items: { state().notes.items }, write: write)) },
            dispatcher: app)

        component.send(.notes(.add("milk")))
        component.send(.notes(.add("tea")))
        await component.send(.notes(.save)).finish()
        #expect(written.values == [["milk", "tea"]])
    }

    @Test func aSaveWritesTheItems() async {
        let written = Ref<[[String]]>([])
        let notebook = Notebook(items: { ["milk"] }, write: { items in written.modify { $0.append(items) } })
        let component = Component(initialState: Notes(), environment: notebook, dispatcher: notes)

        await component.send(.save).finish()

        #expect(written.get() == [["milk"]])
    }
}
