// The code of the article on selecting and scoping.

import ArchitectureTesting
import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

@Suite("The article on selecting and scoping", .timeLimit(.minutes(10)))
@MainActor struct SelectingAndScopingExampleTests {
    //@block Effects/SelectingAndScoping struct Todo

    private static let settings: ReducerFn<Settings> =
        on(FontSizeChanged.self) { settings, changed in settings.fontSize = changed.size }

    private static func app() -> ReducerFn<App> {
        //@block Effects/SelectingAndScoping var settings
        return reducer
    }

    private let store = Store(
        reducer: Self.app(),
        initialState: App(
            todos: [Todo(id: 1, title: "Bread"), Todo(id: 3, title: "Milk")], draft: Todo(id: 4, title: "")))

    private let log = Log()

    @Test func selecting() async {
        let print: @Sendable (String) -> Void = { [log] in log.append($0) }

        //@block Effects/SelectingAndScoping let todos

        //@block Effects/SelectingAndScoping store.select(\.draft).observe

        store.dispatch(action: FontSizeChanged(size: 12))
        store.dispatch(action: TodoToggled(id: 1))
        store.dispatch(action: DraftTitled(title: "Tea"))
        #expect(log.lines == ["open: 2", "draft: ", "new size: 12", "open: 1", "draft: Tea"])
        var titles: [String] = []
        for await draft in drafts.prefix(2) { titles.append(draft.title) }
        #expect(titles == ["", "Tea"])
    }

    @Test func parameters() {
        //@block Effects/SelectingAndScoping func todo(_
        store.dispatch(action: TodoToggled(id: 3))
        #expect(third.value?.isDone == true)
        #expect(store.select(todo(1)).value?.isDone == false)
    }

    @Test func scoping() {
        //@block Effects/SelectingAndScoping func fontSizes(_
        #expect(size.value == "12 pt")
        #expect(store.state.settings.fontSize == 12)
        let settings = Self.settings
        let alone = Store(reducer: settings, initialState: Settings()).scope(state: \.self)
        #expect(fontSizes(alone).value == "12 pt")
    }

    @Test func optionalParts() {
        let print: @Sendable (String) -> Void = { [log] in log.append($0) }

        //@block Effects/SelectingAndScoping if let row
        store.dispatch(action: TodoToggled(id: 3))
        #expect(log.lines == ["done: false", "done: true"])
        #expect(store.state.draft?.title == "Tea")
        #expect(store.scope(part: Lens(\App.todos).element(id: 2)) == nil)
    }

    @Test func effectsOfParts() {
        let saving = Effect(dispatch: false) { [log] in
            $0.ofType(DraftTitled.self).handleEvents { log.append("saves \($0.title)") }.eraseActionType()
        }

        let removing = store.register(reducer: on(TodoToggled.self) { app, _ in app.draft = nil })
        //@block Effects/SelectingAndScoping let draft
        store.dispatch(action: DraftTitled(title: "Tea"))
        store.dispatch(action: TodoToggled(id: 1))
        store.dispatch(action: DraftTitled(title: "Milk"))
        #expect(log.lines == ["saves Tea"])
        withExtendedLifetime(removing) {}
    }

    @Test func rows() {
        //@block Effects/SelectingAndScoping let rows
        #expect(store.state.todos.map(\.isDone) == [true, true])
    }

    private struct LoadTitle: Action { let id: Int }
    private struct TitleLoaded: Action, Equatable { let id: Int, title: String }
    private struct DeleteRow: Action { let id: Int }

    @Test func `the request of a row ends when the row is deleted, and that of another row does not`() {
        let time = VirtualScheduler()
        let loading = Effect { actions in
            actions.ofType(LoadTitle.self).flatMap { load in
                ActionStream<any Action> {
                    try await time.clock.sleep(for: .seconds(1))
                    return TitleLoaded(id: load.id, title: "Tea")
                }
                .prefix(untilOutputFrom: actions.ofType(DeleteRow.self).filter { $0.id == load.id })
            }
        }
        let reducer: ReducerFn<App> = combine {
            forEach(\.todos, id: \TitleLoaded.id) { todo, loaded in todo.title = loaded.title }
            on(DeleteRow.self) { app, delete in app.todos.removeAll { $0.id == delete.id } }
        }
        let test = TestStore(
            reducer: reducer, state: App(todos: [Todo(id: 1, title: "Bread"), Todo(id: 3, title: "Milk")]),
            environment: (), effects: [loading], time: time)

        test.send(LoadTitle(id: 3))
        test.advance(by: .milliseconds(500))
        test.send(LoadTitle(id: 1))
        test.send(DeleteRow(id: 1)) { $0.todos.removeFirst() }
        test.advance(by: .milliseconds(500))
        test.receive(TitleLoaded(id: 3, title: "Tea")) { $0.todos[0].title = "Tea" }
        test.finish()
    }

    @Test func returningReducers() {
        let settings = Self.settings

        //@block Effects/SelectingAndScoping @Sendable func resetting(_
        let store = Store(reducer: both, initialState: Settings())
        store.dispatch(action: FontSizeChanged(size: 12))
        #expect(store.state.fontSize == 12)
        store.dispatch(action: TodoToggled(id: 1))
        #expect(store.state.fontSize == 10)
    }

    //@block Effects/SelectingAndScoping struct Printer

    @Test func environments() {
        //@block Effects/SelectingAndScoping var printing

        let services = Services(printer: Printer(print: { [log] in log.append($0) }))
        let store = Store(
            reducer: Self.app(), initialState: App(), environment: services, effects: effects)
        store.dispatch(action: FontSizeChanged(size: 14))
        #expect(log.lines == ["size 14"])
    }
}
