// The code of the article on selecting and scoping.

import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("The article on selecting and scoping", .timeLimit(.minutes(10)))
@MainActor struct SelectingAndScopingExampleTests {
    //@block Effects/SelectingAndScoping struct Todo

    private static let settings: ReducerFn<Settings> =
        on(FontSizeChanged.self) { settings, changed in settings.fontSize = changed.size }

    private static func app() -> ReducerFn<App> {
        //@block Effects/SelectingAndScoping let settings
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

    @Test func rows() {
        //@block Effects/SelectingAndScoping let rows
        #expect(store.state.todos.map(\.isDone) == [true, true])
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
        //@block Effects/SelectingAndScoping let printing

        let services = Services(printer: Printer(print: { [log] in log.append($0) }))
        let store = Store(
            reducer: Self.app(), initialState: App(), environment: services, effects: effects)
        store.dispatch(action: FontSizeChanged(size: 14))
        #expect(log.lines == ["size 14"])
    }
}
