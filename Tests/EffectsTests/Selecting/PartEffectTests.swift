import Effects
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Effects that a scope of a part or of a row registers, which end with the part.
@Suite("Effects of parts", .timeLimit(.minutes(10))) struct PartEffectTests {
    private struct Note: Equatable, Sendable {
        var text = ""
    }

    private struct Page: Equatable, Sendable, Identifiable {
        let id: Int
        var title = ""
        var note: Note? = Note()
    }

    private enum Mode: AutoPrism, Equatable, Sendable {
        case viewing
        case editing(Note)
    }

    private struct Screen: Equatable, Sendable {
        var page: Page? = Page(id: 1)
        var note: Note? = Note()
        var mode = Mode.editing(Note())
        var rows = (1...3).map { Page(id: $0) }
        var answers: [Int] = []
    }

    private struct Changed: Action { let change: @Sendable (inout Screen) -> Void }

    private let world = QuestionWorld()

    private func store(_ effects: Effect<Void>...) -> Store<Screen> {
        Store(
            reducer: combineReducers(
                on(Changed.self) { screen, changed in changed.change(&screen) },
                on(Answered.self) { screen, answered in screen.answers.append(answered.id) }),
            initialState: Screen(), effects: effects, executor: world.scheduler.executor)
    }

    private static let page = Lens(\Screen.page).some()
    /// An effect that answers at once.
    private static let answering = Effect { $0.ofType(Asked.self).map { Answered(id: $0.id) } }

    // MARK: - Which change ends an effect

    /// A scope or a selection, a change, and whether an effect that the scope has registered ends with the change.
    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Store<Screen>, Effect<Void>) -> EffectRegistration?
        let change: @Sendable (inout Screen) -> Void
        let ends: Bool

        init<Value>(
            _ name: String, ends: Bool, _ scope: @escaping @Sendable (Store<Screen>) -> Selection<Value>?,
            _ change: @escaping @Sendable (inout Screen) -> Void
        ) {
            testDescription = name
            register = { store, effect in scope(store)?.register(effect) }
            (self.change, self.ends) = (change, ends)
        }
    }

    private static func row(_ index: Int, in store: Store<Screen>) -> Selection<Page>? {
        Array(store.scopes(state: \.rows))[index]
    }

    private static let note = Lens(\Screen.note).some()
    private static let inner = Lens(\Page.note).some()
    private static let editing = Mode.prism(for: Mode.editing)

    private static let rows: [Row] = [
        Row("an optional part that is removed", ends: true, { $0.scope(part: page) }, { $0.page = nil }),
        Row("an optional part that changes", ends: false, { $0.scope(part: page) }, { $0.page?.title = "b" }),
        Row("a part that is replaced", ends: true, { $0.scope(part: page) }, { $0.page = Page(id: 2) }),
        Row("a part without id, replaced", ends: false, { $0.scope(part: note) }, { $0.note = Note(text: "b") }),
        Row("a part without id, removed", ends: true, { $0.scope(part: note) }, { $0.note = nil }),
        Row("a case that ends", ends: true, { $0.select(\.mode).scope(part: editing) }, { $0.mode = .viewing }),
        Row(
            "a case that changes", ends: false, { $0.select(\.mode).scope(part: editing) },
            { $0.mode = .editing(Note(text: "b")) }),
        Row("a row that is removed", ends: true, { row(1, in: $0) }, { $0.rows.remove(at: 1) }),
        Row("a row that moves", ends: false, { row(1, in: $0) }, { $0.rows.swapAt(1, 2) }),
        Row("a row that changes", ends: false, { row(1, in: $0) }, { $0.rows[1].title = "b" }),
        Row("a row beside one that is removed", ends: false, { row(1, in: $0) }, { $0.rows.remove(at: 0) }),
        Row("a row that is replaced", ends: true, { row(1, in: $0) }, { $0.rows[1] = Page(id: 4) }),
        Row("a row whose id is used again at once", ends: false, { row(1, in: $0) }, { $0.rows[1] = Page(id: 2) }),
        Row("an element", ends: true, { $0.scope(part: Lens(\.rows).element(id: 2)) }, { $0.rows = [] }),
        Row("a value of a part", ends: true, { $0.scope(part: page)?.scope(state: \.title) }, { $0.page = nil }),
        Row(
            "a selection of a row", ends: true, { row(1, in: $0)?.select { $0.title.count }.map(\.description) },
            { $0.rows.remove(at: 1) }),
        Row("a part of a part", ends: true, { $0.scope(part: page)?.scope(part: inner) }, { $0.page = nil }),
        Row(
            "a part that a part loses", ends: true, { $0.scope(part: page)?.scope(part: inner) },
            { $0.page?.note = nil }),
        Row(
            "a part of a part that is replaced", ends: true, { $0.scope(part: page)?.scope(part: inner) },
            { $0.page = Page(id: 2) }),
        Row("a part of a row", ends: true, { row(0, in: $0)?.scope(part: inner) }, { $0.rows.remove(at: 0) }),
        Row("a row of a scope", ends: true, { $0.scope(state: \.self).scopes(state: \.rows).first }, { $0.rows = [] }),
        Row("the rows themselves", ends: false, { $0.scope(state: \.rows) }, { $0.rows = [] }),
        Row("a selection of an optional", ends: false, { $0.select(\.page) }, { $0.page = nil }),
    ]

    @Test(
        "77. The work of an effect ends when a change removes its part or gives it another id, and only then",
        arguments: rows)
    private func lifetimes(_ row: Row) throws {
        let store = store()
        let registration = try #require(row.register(store, world.sleeping()))
        store.dispatch(action: Asked(id: 1))
        world.scheduler.drain()
        store.dispatch(action: Changed(change: row.change))
        #expect(registration.status.isCancelled == row.ends)
        store.dispatch(action: Asked(id: 2))
        world.scheduler.advance(by: .seconds(2))
        #expect(store.state.answers == (row.ends ? [] : [1, 2]))
    }

    @Test("77. An effect that has ended with its row does not continue for a row that uses the id again")
    func idUsedAgain() throws {
        let store = store()
        let row = try #require(store.scopes(state: \.rows).first)
        let first = row.register(Self.answering)
        store.dispatch(Changed { $0.rows.removeFirst() }, Changed { $0.rows.append(Page(id: 1)) }, Asked(id: 1))
        #expect(first.status.isCancelled)
        #expect(store.state.answers.isEmpty)
        row.register(Self.answering)
        store.dispatch(action: Asked(id: 2))
        #expect(store.state.answers == [2])
    }

    @Test("77. For random changes of rows, exactly the effects of rows that have not been removed answer", .cases(200))
    func model() async {
        enum Step: Sendable {
            case register(Int)
            case remove(Int)
            case insert(Int, at: Int)
            case swap(Int, Int)
            case cancel(Int)
            case ask
        }
        let number = Gen.int(in: 0...4)
        let gen = Gen<Step>.frequency(
            (5, number.map { .register($0) }), (3, number.map { .remove($0) }),
            (4, Gen.zip(number, number).map { .insert($0, at: $1) }),
            (2, Gen.zip(number, number).map { .swap($0, $1) }),
            (1, number.map { .cancel($0) }), (3, .always(.ask)))
        await forAll(gen.array(0...30)) { steps in
            let (store, log) = (store(), Record<Int>())
            var ids = [1, 2, 3]
            var registered: [(id: Int, registration: EffectRegistration, isAlive: Bool)] = []
            for step in steps {
                switch step {
                case .register(let index):
                    guard index < ids.count else { continue }
                    let number = registered.count
                    let effect = Effect(dispatch: false) { $0.handleEvents { if $0 is Asked { log.append(number) } } }
                    registered.append((ids[index], Array(store.scopes(state: \.rows))[index].register(effect), true))
                case .remove(let index):
                    guard index < ids.count else { continue }
                    let id = ids.remove(at: index)
                    for index in registered.indices where registered[index].id == id {
                        registered[index].isAlive = false
                    }
                case .insert(let id, let index):
                    if !ids.contains(id) { ids.insert(id, at: min(index, ids.count)) }
                case .swap(let first, let second):
                    if !ids.isEmpty { ids.swapAt(first % ids.count, second % ids.count) }
                case .cancel(let index):
                    guard index < registered.count else { continue }
                    registered[index].isAlive = false
                    registered[index].registration.cancel()
                case .ask:
                    let before = log.values.count
                    store.dispatch(action: Asked(id: 0))
                    #expect(log.values[before...].elementsEqual(registered.indices.filter { registered[$0].isAlive }))
                }
                store.dispatch(action: Changed { [ids] in $0.rows = ids.map { Page(id: $0) } })
            }
            #expect(registered.allSatisfy { $0.registration.status.isRunning == $0.isAlive })
        }
    }

    // MARK: - When it ends

    @Test("77. Observers are notified of a removal before the effect ends, and the effect does not hear of the action")
    func order() throws {
        let (store, log) = (store(), world.log)
        let page = try #require(store.scope(part: Self.page))
        let status = Guarded<EffectRegistration?>(nil)
        store.observe(initial: false) { _ in log.append("observed, \(status.value!.status.isRunning)") }
        status.value = page.register(
            Effect(dispatch: false) { actions in
                actions.handleEvents(receiveOutput: { log.append("\($0)") }, receiveCancel: { log.append("cancelled") })
            })
        store.intercept { _, _, _ in log.append("intercepted") }
        store.register(Effect(dispatch: false) { $0.handleEvents { _ in log.append("heard") } })
        store.dispatch(Asked(id: 1), Changed { $0.page = nil })
        #expect(
            log.lines == [
                "observed, true", "intercepted", "asked 1", "heard", "observed, true", "cancelled", "intercepted",
                "heard",
            ])
    }

    @Test("77. An answer that waits behind the action that removes the part is dropped", arguments: [false, true])
    func enqueuedAnswers(_ ends: Bool) throws {
        let removing = Effect { $0.ofType(Asked.self).map { _ in Changed { $0.page = nil } } }
        let answering = Effect { actions in
            let answers = actions.ofType(Asked.self).map { Answered(id: $0.id) as any Action }
            return ends ? answers.first() : answers
        }
        let store = store(removing)
        let page = try #require(store.scope(part: Self.page)).register(answering)
        let whole = store.register(answering)
        store.dispatch(action: Asked(id: 1))
        #expect(store.state.answers == [1])
        #expect(page.status.isFinished == ends)
        #expect(whole.status.isFinished == ends)
    }

    @Test("77. An answer that waits in front of the action that removes the part is processed")
    func earlierAnswers() throws {
        let store = store()
        try #require(store.scope(part: Self.page)).register(Self.answering)
        store.register(Effect { $0.ofType(Asked.self).map { _ in Changed { $0.page = nil } } })
        store.dispatch(Asked(id: 1), Asked(id: 2))
        #expect(store.state.answers == [1])
    }

    @Test("77. A state that a test sets ends the effects of parts that it does not contain")
    func setting() throws {
        let store = store()
        let registration = try #require(store.scope(part: Self.page)).register(Self.answering)
        store.set(Screen(page: nil))
        #expect(registration.status.isCancelled)
    }

    // MARK: - Parts that are absent at the registration

    @Test("77. An effect that is registered after its part is gone does not start, and its registration is cancelled")
    func absent() throws {
        let store = store()
        let page = try #require(store.scope(part: Self.page))
        store.dispatch(action: Changed { $0.page = Page(id: 2) })
        let registration = page.register(Self.answering)
        #expect(registration.status.isCancelled)
        store.dispatch(Changed { $0.page = Page(id: 1) }, Asked(id: 1))
        #expect(store.state.answers.isEmpty)
    }

    @Test(
        "77. An effect starts in its turn if its part is present then, and otherwise not at all",
        arguments: [false, true])
    func turns(_ returns: Bool) throws {
        let (store, log, once) = (store(), world.log, Once())
        let page = try #require(store.scope(part: Self.page))
        let registration = Guarded<EffectRegistration?>(nil)
        // The page retains the store, so the observer must end.
        let observation = store.observe(initial: false) { [weak store] screen in
            guard once.isFirst() else { return }
            store?.dispatch(action: Changed { $0.page = nil })
            if returns { store?.dispatch(action: Changed { $0.page = Page(id: 1) }) }
            let effect = Effect<Void> { actions, _ in
                log.append("starts")
                return actions
            }
            registration.value = page.register(effect)
            log.append("is running: \(registration.value!.status.isRunning)")
        }
        defer { observation.cancel() }
        store.dispatch(action: Answered(id: 1))
        #expect(log.lines == ["is running: true"] + (returns ? ["starts"] : []))
        #expect(registration.value?.status.isCancelled == !returns)
    }

    @Test("77. An effect whose part is absent at the registration does not start, also if the part is back in its turn")
    func absentBefore() throws {
        let (store, log, once) = (store(), world.log, Once())
        let page = try #require(store.scope(part: Self.page))
        // The page retains the store, so the observer must end.
        let observation = store.observe(initial: false) { [weak store] screen in
            guard once.isFirst() else { return }
            store?.dispatch(action: Changed { $0.page = Page(id: 1) })
            log.append("is cancelled: \(page.register(Self.answering).status.isCancelled)")
        }
        defer { observation.cancel() }
        store.dispatch(Changed { $0.page = nil }, Asked(id: 1))
        #expect(log.lines == ["is cancelled: true"])
        #expect(store.state.answers.isEmpty)
    }

    // MARK: - Costs and references

    @Test("77. Each action looks for the part once, until the effect is cancelled, finishes or ends with the part")
    func checks() throws {
        let reads = Guarded(0)
        let counting = Affine<Screen, Note>(
            extract: { screen in
                reads.increment()
                return screen.note
            }, set: { screen, _ in screen })
        let store = store()
        let note = try #require(store.scope(part: counting))
        func readsOfActions() -> Int {
            reads.value = 0
            store.dispatch(Answered(id: 0), Answered(id: 0), Answered(id: 0))
            return reads.value
        }
        #expect(readsOfActions() == 0)
        let registrations = (0..<2).map { _ in note.register(Self.answering) }
        #expect(readsOfActions() == 6)
        registrations[0].cancel()
        #expect(readsOfActions() == 3)
        registrations[1].cancel()
        #expect(readsOfActions() == 0)
        note.register(Effect(dispatch: false) { $0.first() })
        #expect(readsOfActions() == 1)
        note.register(Self.answering)
        store.dispatch(action: Changed { $0.note = nil })
        #expect(readsOfActions() == 0)
    }

    @Test("77. The registration of a row's effect retains neither the store nor its state")
    func references() throws {
        struct Row: Equatable, Identifiable, Sendable {
            let id: Int
            let witness = Witness()
            static func == (left: Row, right: Row) -> Bool { left.witness === right.witness }
        }
        struct Removed: Action {}
        var store: Store<[Row]>? = Store(
            reducer: on(Removed.self) { rows, _ in rows = [] }, initialState: [Row(id: 1)])
        weak let weakStore = store
        weak let witness = store?.state[0].witness
        let registrations = store!.scopes(state: \.self).map { $0.register(Self.answering) }
        store = nil
        #expect(weakStore == nil)
        #expect(witness == nil)
        #expect(registrations.map(\.status.isCancelled) == [true])
    }
}
