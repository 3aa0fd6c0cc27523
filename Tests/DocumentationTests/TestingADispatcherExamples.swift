// The code of the article on testing a dispatcher.

import Dispatcher
import FunctionalCore
import Testing
import VirtualTime

private struct Library: Sendable { var books: @Sendable (String) async throws -> [String] }
private struct Search: Equatable, Sendable { var books: [String] = [], isLoading = false }

private let search = StateDispatcher<Library, Search, String>.workflow { text in
    [
        .pure(.update { $0.isLoading = true }),
        EnvIO { library in
            let books = try await library.books(text)
            return .update { $0 = Search(books: books) }
        },
    ]
}

@Suite("The article on testing a dispatcher", .timeLimit(.minutes(10)))
struct TestingADispatcherExampleTests {
    @Test func aSearchShowsItsBooks() async {
        let component = Component(
            initialState: Search(), environment: Library { text in ["About \(text)"] }, dispatcher: search)

        await component.send("owls").finish()

        #expect(component.state == Search(books: ["About owls"]))
    }

    @Test func aSearchLoadsBeforeItShowsBooks() async {
        let component = Component(
            initialState: Search(), environment: Library { _ in ["Owls"] }, dispatcher: search)
        let states = Ref<[Search]>([])
        component.observe { state in states.modify { $0.append(state) } }

        await component.send("owls").finish()

        #expect(states.get() == [Search(), Search(isLoading: true), Search(books: ["Owls"])])
    }

    @Test func aFailedSearchIsReported() async {
        struct Offline: Error {}
        let component = Component(
            initialState: Search(), environment: Library { _ in throw Offline() }, dispatcher: search)
        let failed = Ref<[String]>([])
        component.onError { _, source in failed.modify { $0.append("\(source)") } }

        await component.send("owls").finish()

        #expect(failed.get() == ["owls"])
        #expect(component.state == Search(isLoading: true))
    }

    @Test func aSearchStartsAfterAPauseInTyping() {
        let scheduler = VirtualScheduler()
        let searched = Ref<[String]>([])
        let library = Library { text in
            searched.modify { $0.append(text) }
            return [text]
        }
        let component = Component(
            initialState: Search(), environment: library, executor: scheduler.executor,
            dispatcher: search.policy(.debounce(for: .milliseconds(300), clock: scheduler.clock)))

        component.send("ow")
        scheduler.advance(by: .milliseconds(200))
        component.send("owls")
        scheduler.advance(by: .milliseconds(300))

        #expect(searched.get() == ["owls"])
        #expect(component.state == Search(books: ["owls"]))
    }

    @Test func aSearchEndsInVirtualTime() throws {
        let scheduler = VirtualScheduler()
        let component = Component(
            initialState: Search(), environment: Library { text in [text] }, executor: scheduler.executor,
            dispatcher: search)

        let searching = component.send("owls")
        #expect(component.state == Search(isLoading: true))

        try scheduler.run { await searching.finish() }
        #expect(component.state == Search(books: ["owls"]))
    }

    @Test func theFirstActionOnlyMarksTheSearch() throws {
        let actions = search.on("owls")
        #expect(actions.count == 2)

        var state = Search()
        try actions[0].runSync(Library { _ in [] }).run(&state)
        #expect(state == Search(isLoading: true))
    }
}
