import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// The work of a child ends with the child: of an optional part, of a case and of a row.
@Suite("Lifetimes of children", .timeLimit(.minutes(10)))
struct ChildLifetimeTests {
    /// A child. Each has a number of its own, its life.
    struct Child: Equatable, Sendable {
        let life: Int
        var answers: [Int] = []
        var detail: Detail?
    }

    struct Detail: Equatable, Sendable {
        let life: Int
        var answers: [Int] = []
    }

    struct Row: Equatable, Identifiable, Sendable {
        let id: Int
        var child: Child
    }

    enum Case: AutoPrism, Equatable, Sendable {
        case empty
        case child(Child)
    }

    struct Screen: Equatable, Sendable {
        var sheet: Child?
        var `case` = Case.empty
        var rows: [Row] = []
        var parent: [Int] = []

        func row(_ id: Int) -> Child? { rows.first { $0.id == id }?.child }
    }

    /// A child that is replaced in a change gets the life of the change.
    enum Input: AutoPrism, Sendable {
        case change(@Sendable (inout Screen) -> Void)
        case sheet(Int)
        case `case`(Int)
        case row(Int, Int)
        case parent(Int)
    }

    typealias Dispatcher<S> = StateDispatcher<Void, S, Int>
    typealias Screens = StateDispatcher<Void, Screen, Input>

    private let scheduler = VirtualScheduler()
    private let log = Log()

    /// Work that takes as many seconds as its input says.
    private func work<S: Sendable>(_ name: String, _ add: @escaping @Sendable (inout S, Int) -> Void) -> Dispatcher<S> {
        .effectful { [log, clock = scheduler.clock] seconds in
            EnvIO { _ async throws in
                log.append("\(name) \(seconds) begins")
                try? await clock.sleep(for: .seconds(seconds))
                log.append("\(name) \(seconds) \(Task.isCancelled ? "is cancelled" : "ends")")
                return .update { add(&$0, seconds) }
            }
        }
    }

    private let change = Screens.pure { input in
        .update { if case .change(let change) = input { change(&$0) } }
    }

    private var child: Dispatcher<Child> { work("child") { $0.answers.append($1) } }

    private func component(_ dispatchers: Screens...) -> Component<Screen, Input> {
        Component(
            initialState: Screen(), environment: (), executor: scheduler.executor,
            dispatcher: change.combine(.combineAll(dispatchers)))
    }

    private func sheet(_ child: Dispatcher<Child>) -> Screens {
        child.widen(
            transformState: Lens(\Screen.sheet).some(), transformInput: Input.prism(for: Input.sheet))
    }

    private func rows(_ row: StateDispatcher<Void, Row, Int>) -> Screens {
        row.forEach(state: \Screen.rows, input: Input.prism(for: Input.row))
    }

    // MARK: - One child

    @Test("The answer of a dismissed child does not reach the next child, whose work does not wait for it")
    func findingA2() {
        let component = component(sheet(child.policy(.first)))
        component.send(.change { $0.sheet = Child(life: 1) })
        let first = component.send(.sheet(5))
        scheduler.advance(by: .seconds(1))
        component.send(.change { $0.sheet = nil })
        #expect(first.isCancelled)
        component.send(.change { $0.sheet = Child(life: 2) })
        let second = component.send(.sheet(3))
        scheduler.advance(by: .seconds(10))
        #expect(!second.isCancelled)
        #expect(component.state.sheet == Child(life: 2, answers: [3]))
        #expect(log.lines == ["child 5 begins", "child 5 is cancelled", "child 3 begins", "child 3 ends"])
    }

    // MARK: - Places in policies

    enum Kind: CaseIterable {
        case optional, `case`, row

        /// Makes the child with this life present in place of an earlier one.
        func present(_ life: Int) -> Input {
            .change { screen in
                switch self {
                case .optional: screen.sheet = Child(life: life)
                case .case: screen.case = .child(Child(life: life))
                case .row: screen.rows = [Row(id: 1, child: Child(life: life))]
                }
            }
        }

        func job(_ number: Int) -> Input {
            switch self {
            case .optional: .sheet(number)
            case .case: .case(number)
            case .row: .row(1, number)
            }
        }

        func child(in screen: Screen) -> Child? {
            switch self {
            case .optional: screen.sheet
            case .case: if case .child(let child) = screen.case { child } else { nil }
            case .row: screen.row(1)
            }
        }
    }

    private let dismiss = Input.change { screen in
        (screen.sheet, screen.case, screen.rows) = (nil, .empty, [])
    }

    private func screens(_ kind: Kind, _ child: Dispatcher<Child>) -> Screens {
        switch kind {
        case .optional: sheet(child)
        case .case:
            child.widen(
                transformState: Lens(\Screen.case).appending(Case.prism(for: Case.child)),
                transformInput: Input.prism(for: Input.case))
        case .row: rows(child.widen(transformState: \Row.child))
        }
    }

    @Test(
        "The places of a child are free at once, also while its work unwinds, below and above the widening",
        arguments: Kind.allCases, [true, false])
    func places(kind: Kind, isBelow: Bool) {
        for policy in [Policy.first, .queued, .concurrent(limit: 1), .latest] {
            let stubborn = Dispatcher<Child>.effectful { [log, clock = scheduler.clock] seconds in
                EnvIO.sleep(for: .seconds(seconds), clock: clock).uncancellable().map {
                    log.append("\(seconds) ends")
                    return .update { $0.answers.append(seconds) }
                }
            }
            let component =
                isBelow
                ? component(screens(kind, stubborn.policy(policy)))
                : component(screens(kind, stubborn).policy(policy))
            component.send(kind.present(1))
            let waiting = [component.send(kind.job(5)), component.send(kind.job(6))]
            component.send(dismiss)
            #expect(waiting.map(\.isCancelled) == [true, true])
            component.send(kind.present(2))
            component.send(kind.job(1))
            scheduler.advance(by: .seconds(2))
            #expect(kind.child(in: component.state) == Child(life: 2, answers: [1]))
            scheduler.advance(by: .seconds(60))
            #expect(kind.child(in: component.state) == Child(life: 2, answers: [1]))
        }
    }

    @Test("Work of a removed row does not begin, although a limit of the list had let it wait")
    func findingA3() {
        let row: StateDispatcher<Void, Row, Int> = child.widen(transformState: \Row.child)
        for policy in [Policy.concurrent(limit: 1), .debounce(for: .seconds(1), clock: scheduler.clock)] {
            let component = component(rows(row).policy(policy))
            component.send(.change { $0.rows = (1...3).map { Row(id: $0, child: Child(life: $0)) } })
            for id in 1...3 { component.send(.row(id, id)) }
            component.send(.change { $0.rows.removeLast() })
            scheduler.advance(by: .seconds(20))
            #expect(!log.lines.contains("child 3 begins"))
            log.removeAll()
        }
    }

    @Test("If a policy delays work of a parent and of its child, the part of a replaced child does not begin")
    func delayedTogether() {
        let both = Screens.workflow { input in
            guard case .sheet(let number) = input else { return [] }
            return [.pure(.update { $0.parent.append(number) })]
        }
        for policy in [Policy.debounce(for: .seconds(1), clock: scheduler.clock), .queued] {
            let component = component(both.combine(sheet(child)).policy(policy))
            component.send(.change { $0.sheet = Child(life: 1) })
            component.send(.sheet(0))
            component.send(.sheet(2))
            component.send(.change { $0.sheet = nil })
            component.send(.change { $0.sheet = Child(life: 2) })
            scheduler.advance(by: .seconds(20))
            #expect(component.state.sheet == Child(life: 2))
            #expect(component.state.parent.last == 2)
        }
    }

    @Test("An action of an absent child does not begin, and a handle of it is not cancelled", arguments: Kind.allCases)
    func absent(kind: Kind) {
        let component = component(
            screens(
                kind,
                .effectful { [log] number in
                    EnvIO { _ in
                        log.append("\(number)")
                        return .update { $0.answers.append(number) }
                    }
                }))
        #expect(!component.send(kind.job(1)).isCancelled)
        component.send(kind.present(1))
        component.send(kind.job(2))
        #expect(log.lines == ["2"])
        #expect(kind.child(in: component.state)?.answers == [2])
    }

    // MARK: - What a change reaches

    @Test("A change that `onChange` or `handleError` adds ends the work of the rows that it removes")
    func openChanges() {
        struct Failure: Error {}
        for isOnChange in [true, false] {
            let row = Dispatcher<Child>.effectful { [log, clock = scheduler.clock] seconds in
                EnvIO { _ async throws in
                    try? await clock.sleep(for: .seconds(seconds))
                    log.append("\(seconds) \(Task.isCancelled ? "is cancelled" : "ends")")
                    if !isOnChange, seconds == 1 { throw Failure() }
                    return .update { $0.answers.append(seconds) }
                }
            }
            let rows = rows(row.widen(transformState: \Row.child))
            let removing: Screens =
                isOnChange
                ? rows.onChange(of: \.rows) { _, _ in .update { $0.rows.removeAll { $0.id == 2 } } }
                : rows.handleError { _, _ in .update { $0.rows.removeAll { $0.id == 2 } } }
            let component = component(removing)
            component.send(.change { $0.rows = (1...2).map { Row(id: $0, child: Child(life: $0)) } })
            component.send(.row(2, 5))
            component.send(.row(1, 1))
            scheduler.advance(by: .seconds(2))
            #expect(log.lines.sorted() == ["1 ends", "5 is cancelled"])
            log.removeAll()
        }
    }

    @Test("If the part of a lens gets another id, its work goes on, and so does the work of its children")
    func lenses() {
        let row: StateDispatcher<Void, Row, Int> = child.widen(transformState: \Row.child)
        let detail = work("detail") { (detail: inout Detail, number) in detail.answers.append(number) }
        let first = Lens(
            get: { (screen: Screen) in screen.rows[0] },
            set: { screen, row in
                var screen = screen
                screen.rows[0] = row
                return screen
            })
        let input = Input.prism(for: Input.parent)
        let component = component(
            row.widen(transformState: first, transformInput: input),
            detail.widen(transformState: Lens(\Child.detail).some()).widen(transformState: \Row.child)
                .widen(transformState: first, transformInput: input))
        component.send(.change { $0.rows = [Row(id: 1, child: Child(life: 1, detail: Detail(life: 1)))] })
        component.send(.parent(3))
        component.send(.change { $0.rows = [Row(id: 2, child: Child(life: 2, detail: Detail(life: 2)))] })
        scheduler.advance(by: .seconds(10))
        #expect(component.state.row(2)?.answers == [3])
        #expect(component.state.row(2)?.detail?.answers == [3])
    }

    @Test("Rows that move keep their work, and a row whose id is used again after its removal is another row")
    func moving() {
        let component = component(rows(child.widen(transformState: \Row.child)))
        component.send(.change { $0.rows = (0..<5).map { Row(id: $0, child: Child(life: $0)) } })
        let tasks = (0..<5).map { component.send(.row($0, 10 + $0)) }
        component.send(.change { $0.rows.reverse() })
        component.send(.change { $0.rows.remove(at: 2) })
        component.send(.change { $0.rows.insert(Row(id: 2, child: Child(life: 20)), at: 0) })
        component.send(.change { $0.rows.shuffle() })
        #expect(tasks.map(\.isCancelled) == [false, false, true, false, false])
        scheduler.advance(by: .seconds(20))
        #expect(component.state.rows.map { $0.child.answers }.sorted { $0.count < $1.count }.first == [])
        #expect(component.state.rows.flatMap { $0.child.answers }.sorted() == [10, 11, 13, 14])
    }
}

// MARK: - Scopes

/// What a scope does that is kept longer than its child.
@Suite("Kept scopes", .timeLimit(.minutes(10)))
struct KeptScopeTests {
    private struct Note: Equatable, Identifiable, Sendable {
        let id: Int
        var text = ""
    }

    private enum Input: Sendable {
        case set(Note?)
        case text(String)
    }

    private let component = Component(
        initialState: Note?.none, environment: (),
        dispatcher: StateDispatcher<Void, Note?, Input>.pure { input in
            .update { note in
                switch input {
                case .set(let new): note = new
                case .text(let text): note?.text = text
                }
            }
        })

    private var note: Scope<Note, String>? {
        component.scope(part: Lens(\Note?.self).some(), input: Input.text)
    }

    @Test("A kept scope of a child with an id does not write into the next child, and follows its own")
    func identity() throws {
        component.send(.set(Note(id: 1)))
        let note = try #require(note)
        component.send(.set(Note(id: 2)))
        #expect(note.send("wrong").isCancelled)
        #expect(component.state == Note(id: 2))
        #expect(note.state == Note(id: 1))
        component.send(.set(Note(id: 1)))
        #expect(!note.send("right").isCancelled)
        #expect(component.state == Note(id: 1, text: "right"))
    }

    @Test("The scope of an optional part follows it, whatever its value is")
    func optionals() throws {
        let component = Component(
            initialState: [Note(id: 1)] as [Note?], environment: (),
            dispatcher: StateDispatcher<Void, [Note?], Note?>.pure { note in .update { $0[0] = note } })
        let first = Affine<[Note?], Note?>(extract: { $0.first }, modify: { if !$0.isEmpty { $1(&$0[0]) } })
        let scope = component.scope(part: first) { (note: Note?) in note }
        let note = try #require(scope)
        #expect(!note.send(nil).isCancelled)
        #expect(note.state == nil)
        #expect(!note.send(Note(id: 2)).isCancelled)
        #expect(note.state == Note(id: 2))
    }

    @Test("A scope of an absent part has the value that its observers saw last, also for later observers")
    func findingA5() throws {
        component.send(.set(Note(id: 1, text: "one")))
        let note = try #require(note)
        #expect(note.state.text == "one")
        let (seen, late) = (Record<String>(), Record<String>())
        note.observe { seen.append($0.text) }
        note.send("two")
        note.send("three")
        component.send(.set(nil))
        #expect(note.state.text == "three")
        note.observe { late.append($0.text) }
        #expect(seen.values == ["one", "two", "three"])
        #expect(late.values == ["three"])
    }
}
