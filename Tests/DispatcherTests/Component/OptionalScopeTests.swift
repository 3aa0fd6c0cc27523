import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@MainActor
@Suite("Scopes of parts that may be absent", .timeLimit(.minutes(10)))
struct OptionalScopeTests {
    private struct Draft: Equatable, Sendable {
        var title = ""
        var note: String?
    }

    private struct Screen: Equatable, Sendable {
        var draft: Draft?
        var other = 0
    }

    private enum DraftInput: Sendable {
        case titled(String)
        case noted(String?)
    }

    private enum Input: Sendable {
        case draft(DraftInput)
        case set(Draft?)
        case other
    }

    private let component = Component(
        initialState: Screen(), environment: (),
        dispatcher: StateDispatcher<Void, Screen, Input>.pure { input in
            .update { screen in
                switch input {
                case .draft(.titled(let title)): screen.draft?.title = title
                case .draft(.noted(let note)): screen.draft?.note = note
                case .set(let draft): screen.draft = draft
                case .other: screen.other += 1
                }
            }
        })

    private var draft: Scope<Draft, DraftInput>? {
        component.scope(part: Lens(\Screen.draft).some(), input: Input.draft)
    }

    @Test("A scope is nil while its part is absent, and tracking its creation notifies when that changes")
    func presence() {
        let appearing = Tracking { draft == nil }
        #expect(draft == nil)
        component.send(.other)
        #expect(appearing.notifications == 0)
        component.send(.set(Draft()))
        #expect(appearing.notifications == 1)
        let disappearing = Tracking { draft == nil }
        component.send(.draft(.titled("a")))
        #expect(disappearing.notifications == 0)
        component.send(.set(nil))
        #expect(disappearing.notifications == 1)
    }

    @Test("While its part is absent, a scope keeps the value that was read last and drops inputs, and continues later")
    func absence() throws {
        component.send(.set(Draft(title: "a")))
        let draft = try #require(draft)
        let observed = Record<Draft>()
        draft.observe { observed.append($0) }
        draft.send(.titled("b"))
        let tracking = Tracking { draft.state }
        component.send(.set(nil))
        #expect(draft.state == Draft(title: "b"))
        #expect(draft.send(.titled("c")).isCancelled)
        #expect(tracking.notifications == 0)
        component.send(.set(Draft(title: "d")))
        #expect(draft.state == Draft(title: "d"))
        #expect(!draft.send(.titled("e")).isCancelled)
        #expect(tracking.notifications == 1)
        #expect(observed.values.map(\.title) == ["a", "b", "d", "e"])
    }

    @Test("An observer that is registered while the part is absent is called with the last value, if it asks for it")
    func absentAtRegistration() async throws {
        component.send(.set(Draft(title: "a")))
        let draft = try #require(draft)
        component.send(.set(nil))
        let (all, later) = (Record<String>(), Record<String>())
        draft.observe { all.append($0.title) }
        draft.observe(initial: false) { later.append($0.title) }
        var titles = draft.scope(state: \.title, input: DraftInput.titled).states().makeAsyncIterator()
        component.send(.other)
        component.send(.set(Draft(title: "b")))
        component.send(.set(nil))
        #expect(all.values == ["a", "b"])
        #expect(later.values == ["b"])
        #expect(await [titles.next(), titles.next()] == ["a", "b"])
    }

    @Test("A scope of a part of an absent part is nil, and tracking its creation notifies when the outer part appears")
    func partsOfAbsentParts() throws {
        component.send(.set(Draft(note: "a")))
        let draft = try #require(draft)
        func note() -> Scope<String, String>? {
            draft.scope(part: Lens(\Draft.note).some(), input: { .noted($0) })
        }
        let disappearing = Tracking { note() == nil }
        component.send(.set(nil))
        #expect(disappearing.notifications == 1)
        #expect(note() == nil)
        let appearing = Tracking { note() == nil }
        component.send(.set(Draft(note: "a")))
        #expect(appearing.notifications == 1)
        #expect(note()?.state == "a")
    }

    @Test("If a read overtakes a later one, the removal of the part does not notify the code that tracks it")
    func overtakenReads() throws {
        component.send(.set(Draft(title: "a")))
        let hook = Guarded<(@Sendable () -> Void)?>(nil)
        let drafts = Affine<Screen, Draft>(
            extract: { screen in
                let call = hook.withLock { $0.take() }
                call?()
                return screen.draft
            }, set: { Screen(draft: $1, other: $0.other) })
        let found = component.scope(part: drafts, input: Input.draft)
        let draft = try #require(found)
        let tracking = Record<Tracking>()
        hook.value = { [component] in
            component.send(.draft(.titled("b")))
            tracking.append(Tracking { draft.state })
        }
        #expect(draft.state.title == "a")
        component.send(.set(nil))
        #expect(tracking.values.map(\.notifications) == [0])
        component.send(.set(Draft(title: "c")))
        #expect(tracking.values.map(\.notifications) == [1])
    }

    @Test("A nested scope drops inputs if its part or the part around it is absent")
    func nested() throws {
        component.send(.set(Draft(title: "a", note: "b")))
        let optionalNote = draft?.scope(part: Lens(\Draft.note).some(), input: { .noted($0) })
        let note = try #require(optionalNote)
        let title = try #require(draft?.scope(state: \.title, input: DraftInput.titled))
        #expect(!note.send("c").isCancelled)
        #expect(note.state == "c")
        component.send(.draft(.noted(nil)))
        #expect(note.send("d").isCancelled)
        #expect(!title.send("e").isCancelled)
        // The scope of the note reads the draft that was read last, which has a note.
        component.send(.draft(.noted("f")))
        #expect((note.state, title.state) == ("f", "e"))
        component.send(.set(nil))
        #expect(note.send("g").isCancelled && title.send("h").isCancelled)
        #expect((note.state, title.state) == ("f", "e"))
    }

    @Test("A scope of a row of a dictionary finds its row by the key")
    func dictionaries() throws {
        typealias Notes = [String: Int]
        let component = Component(
            initialState: ["ann": 1], environment: (),
            dispatcher: StateDispatcher<Void, Notes, (String, Int)>.pure { key, value in
                .update { $0[key] = value }
            })
        let found = component.scope(
            part: Affine<Notes, Int>.element(id: "ann"), input: { (value: Int) in ("ann", value) })
        let ann = try #require(found)
        let other = component.scope(
            part: Affine<Notes, Int>.element(id: "ben"), input: { (value: Int) in ("ben", value) })
        #expect(other == nil)
        ann.send(2)
        #expect(ann.state == 2)
    }
}
