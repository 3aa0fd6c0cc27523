// The code of the article on working with effects that reads the state.

import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("The article on working with effects: reading the state", .timeLimit(.minutes(10)))
struct ReadingTheStateInEffectsExampleTests {
    @Test func save() async throws {
        //@block Effects/WorkingWithEffects struct Notebook

        let written = Record<[String]>()
        let write: @Sendable ([String]) async throws -> Void = { items in written.append(items) }

        //@block Effects/WorkingWithEffects let store

        store.dispatch(action: AddNote(text: "milk"))
        store.dispatch(action: Save())
        store.dispatch(action: AddNote(text: "tea"))
        try await store.settled()
        #expect(written.values == [["milk"]])
        #expect(store.state == Notes(items: ["milk", "tea"], saved: ["milk"]))

        do {
            let written = Record<[String]>()

            //@block Effects/WorkingWithEffects let notebook

            #expect(answers.map { ($0 as? Saved)?.items } == [["milk"]])
            #expect(written.values == [["milk"]])
        }
    }

    /// The example in the comment of the initializer.
    @Test func log() {
        struct Journal: Sendable {
            var count: @Sendable () -> Int
            var write: @Sendable (String) -> Void
        }
        struct Notes: Equatable, Sendable { var items: [String] = [] }
        struct AddNote: Action { let text: String }
        let reducer: ReducerFn<Notes> = on(AddNote.self) { notes, add in notes.items.append(add.text) }
        let lines = Log()
        let write: @Sendable (String) -> Void = { lines.append($0) }

        let logging = Effect<Journal>(dispatch: false) { actions, journal in
            actions.handleEvents { action in journal.write("\(action): \(journal.count())") }
        }
        let store = Store(
            reducer: reducer, initialState: Notes(),
            environment: { state in Journal(count: { state().items.count }, write: write) }, effects: [logging])

        store.dispatch(action: AddNote(text: "milk"))
        store.dispatch(action: AddNote(text: "tea"))
        #expect(lines.lines.map { $0.suffix(3) } == [": 1", ": 2"])
    }
}
