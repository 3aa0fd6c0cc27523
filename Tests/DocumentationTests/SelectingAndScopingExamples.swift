// The code of the article on selecting and scoping.

import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("The article on selecting and scoping", .timeLimit(.minutes(10)))
@MainActor struct SelectingAndScopingExampleTests {
    struct Todo: Equatable, Identifiable, Sendable {
        let id: Int
        var title: String
        var isDone = false
    }

    struct Settings: Equatable, Sendable {
        var fontSize = 10
    }

    struct App: Equatable, Sendable {
        var todos: [Todo] = []
        var settings = Settings()
        var draft: Todo?
    }

    struct TodoToggled: Action { let id: Int }
    struct FontSizeChanged: Action { let size: Int }
    struct DraftTitled: Action { let title: String }

    private static let settings: ReducerFn<Settings> =
        on(FontSizeChanged.self) { settings, changed in settings.fontSize = changed.size }

    private static func app() -> ReducerFn<App> {
        let settings: ReducerFn<Settings> = on(FontSizeChanged.self) { settings, changed in
            settings.fontSize = changed.size
        }
        let editor: ReducerFn<Todo> = on(DraftTitled.self) { todo, titled in todo.title = titled.title }

        let reducer: ReducerFn<App> = combineReducers(
            forKey(\.settings, use: settings),
            forPart(Lens(\App.draft).some(), use: editor),
            forEach(\.todos, id: \TodoToggled.id) { todo, _ in todo.isDone.toggle() }
        )
        return reducer
    }

    private let store = Store(
        reducer: Self.app(),
        initialState: App(
            todos: [Todo(id: 1, title: "Bread"), Todo(id: 3, title: "Milk")], draft: Todo(id: 4, title: "")))

    private let log = Log()

    @Test func selecting() async {
        let print: @Sendable (String) -> Void = { [log] in log.append($0) }

        let todos = store.select(\.todos)
        let count = todos.map { todos in todos.count { !$0.isDone } }
        count.observe { count in print("open: \(count)") }

        let steps = store.select(\.settings.fontSize).removeDuplicates { abs($0 - $1) < 2 }
        steps.dropFirst().observe { size in print("new size: \(size)") }

        store.select(\.draft).observe { draft in
            if let draft { print("draft: \(draft.title)") }
        }
        let drafts = store.select(\.draft).values().compactMap { $0 }

        store.dispatch(action: FontSizeChanged(size: 12))
        store.dispatch(action: TodoToggled(id: 1))
        store.dispatch(action: DraftTitled(title: "Tea"))
        #expect(log.lines == ["open: 2", "draft: ", "new size: 12", "open: 1", "draft: Tea"])
        var titles: [String] = []
        for await draft in drafts.prefix(2) { titles.append(draft.title) }
        #expect(titles == ["", "Tea"])
    }

    @Test func parameters() {
        func todo(_ id: Int) -> Selector<App, Todo?> {
            createSelector(\.todos) { todos in todos.first { $0.id == id } }
        }

        let third = store.select(todo(3))
        store.dispatch(action: TodoToggled(id: 3))
        #expect(third.value?.isDone == true)
        #expect(store.select(todo(1)).value?.isDone == false)
    }

    @Test func scoping() {
        func fontSizes(_ settings: StoreScope<Settings>) -> Selection<String> {
            settings.dispatch(action: FontSizeChanged(size: 12))
            return settings.select(\.fontSize).map { "\($0) pt" }
        }

        let size = fontSizes(store.scope(state: \.settings))
        #expect(size.value == "12 pt")
        #expect(store.state.settings.fontSize == 12)
        let settings = Self.settings
        let alone = Store(reducer: settings, initialState: Settings()).scope(state: \.self)
        #expect(fontSizes(alone).value == "12 pt")
    }

    @Test func optionalParts() {
        let print: @Sendable (String) -> Void = { [log] in log.append($0) }

        if let row = store.scope(part: Lens(\App.todos).element(id: 3)) {
            row.select(\.isDone).observe { isDone in print("done: \(isDone)") }
        }
        if let editor = store.scope(part: Lens(\App.draft).some()) {
            editor.dispatch(action: DraftTitled(title: "Tea"))
        }
        store.dispatch(action: TodoToggled(id: 3))
        #expect(log.lines == ["done: false", "done: true"])
        #expect(store.state.draft?.title == "Tea")
        #expect(store.scope(part: Lens(\App.todos).element(id: 2)) == nil)
    }

    @Test func returningReducers() {
        let settings = Self.settings

        @Sendable func resetting(_ settings: Settings, _ action: any Action) -> Settings {
            action is TodoToggled ? Settings() : settings
        }

        let both: ReducerFn<Settings> = combine {
            settings
            resetting
        }
        let store = Store(reducer: both, initialState: Settings())
        store.dispatch(action: FontSizeChanged(size: 12))
        #expect(store.state.fontSize == 12)
        store.dispatch(action: TodoToggled(id: 1))
        #expect(store.state.fontSize == 10)
    }

    struct Printer: Sendable {
        var print: @Sendable (String) -> Void
    }

    struct Services: Sendable {
        var printer: Printer
    }

    @Test func environments() {
        let printing = Effect<Printer>(dispatch: false) { actions, printer in
            actions.ofType(FontSizeChanged.self).handleEvents { printer.print("size \($0.size)") }.eraseActionType()
        }
        let effects: [Effect<Services>] = [printing.contramap(\.printer)]

        let services = Services(printer: Printer(print: { [log] in log.append($0) }))
        let store = Store(
            reducer: Self.app(), initialState: App(), environment: services, effects: effects)
        store.dispatch(action: FontSizeChanged(size: 14))
        #expect(log.lines == ["size 14"])
    }
}
