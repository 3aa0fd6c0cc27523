import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// Places of children that overlap, that are used twice, and whose policies are within other policies.
@Suite("Places of children", .timeLimit(.minutes(10)))
struct ChildPlaceTests {
    struct Detail: Equatable, Sendable {
        let life: Int
        var answers: [Int] = []
    }

    struct Sheet: Equatable, Identifiable, Sendable {
        let id: Int
        var answers: [Int] = []
        var detail: Detail?
    }

    struct Pane: Equatable, Sendable {
        var sheet: Sheet?
    }

    struct App: Equatable, Sendable {
        var left = Pane()
        var right = Pane()
        var slice: ArraySlice<Sheet> = []
        var own: [Int] = []
    }

    enum Input: AutoPrism, Sendable {
        case change(@Sendable (inout App) -> Void)
        case left(Int)
        case right(Int)
        case detail(Int)
        case row(Int, Int)
    }

    typealias Apps = StateDispatcher<Void, App, Input>

    private let scheduler = VirtualScheduler()
    private let log = Log()
    private let change = Apps.pure { input in
        .update { if case .change(let change) = input { change(&$0) } }
    }

    private func component(_ dispatchers: Apps...) -> Component<App, Input> {
        Component(
            initialState: App(), environment: (), executor: scheduler.executor,
            dispatcher: change.combine(.combineAll(dispatchers)))
    }

    private func work<S: Sendable>(
        _ name: String, _ add: @escaping @Sendable (inout S, Int) -> Void
    ) -> StateDispatcher<Void, S, Int> {
        .effectful { [log, clock = scheduler.clock] seconds in
            EnvIO { _ async throws in
                log.append("\(name) \(seconds) begins")
                try? await clock.sleep(for: .seconds(seconds))
                return .update { add(&$0, seconds) }
            }
        }
    }

    private var sheet: StateDispatcher<Void, Sheet, Int> { work("sheet") { $0.answers.append($1) } }
    private var detail: StateDispatcher<Void, Detail, Int> { work("detail") { $0.answers.append($1) } }
    private let left = Input.prism(for: Input.left)
    private let leftSheet = Lens(\App.left.sheet).some()

    private func debounce() -> Policy { .debounce(for: .seconds(1), clock: scheduler.clock) }

    @Test("A child that is widened to two parts has two places")
    func twoLenses() {
        let pane = sheet.widen(transformState: Lens(\Pane.sheet).some())
        let component = component(
            pane.widen(transformState: \.left, transformInput: left),
            pane.widen(transformState: \.right, transformInput: Input.prism(for: Input.right)))
        component.send(.change { ($0.left.sheet, $0.right.sheet) = (Sheet(id: 1), Sheet(id: 1)) })
        let works = [component.send(.left(5)), component.send(.right(5))]
        component.send(.change { $0.left.sheet = nil })
        #expect(works.map(\.isCancelled) == [true, false])
        component.send(.change { $0.right.sheet = Sheet(id: 9) })
        scheduler.advance(by: .seconds(10))
        #expect(component.state.right.sheet == Sheet(id: 9))
    }

    @Test("Delayed work does not begin for a child that has replaced its child: within a child, and within a policy")
    func delayed() {
        let both = sheet.combine(detail.widen(transformState: Lens(\Sheet.detail).some()))
        let within = both.policy(debounce()).widen(transformState: leftSheet, transformInput: left)
        let own = Apps.workflow { input in
            guard case .left(let number) = input else { return [] }
            return [.pure(.update { $0.own.append(number) })]
        }
        let nested = own.combine(
            detail.widen(transformState: Lens(\Sheet.detail).some())
                .widen(transformState: leftSheet, transformInput: left)
        ).policy(.concurrent(limit: 2)).policy(debounce())
        for dispatcher in [within, nested] {
            let component = component(dispatcher)
            component.send(.change { $0.left.sheet = Sheet(id: 1, detail: Detail(life: 1)) })
            component.send(.left(2))
            component.send(.change { $0.left.sheet?.detail = nil })
            component.send(.change { $0.left.sheet?.detail = Detail(life: 2) })
            scheduler.advance(by: .seconds(20))
            #expect(component.state.left.sheet?.detail == Detail(life: 2))
            #expect(component.state.own + (component.state.left.sheet?.answers ?? []) == [2])
        }
    }

    @Test("An action makes its child present, and a later action of the input works for it", arguments: [true, false])
    func presenting(isWaiting: Bool) {
        let presenting = Apps.effectful { [clock = scheduler.clock] input in
            guard case .left = input else { return .pure(.pure(())) }
            let present = State<App, Void>.update { $0.left.sheet = Sheet(id: 1) }
            return isWaiting ? EnvIO.sleep(for: .seconds(1), clock: clock).as(present) : .pure(present)
        }
        let both = presenting.combine(sheet.widen(transformState: leftSheet, transformInput: left))
        for policy in [Policy.concurrent, .latest, .queued] {
            let component = component(both.policy(policy))
            let work = component.send(.left(2))
            scheduler.advance(by: .seconds(20))
            #expect(component.state.left.sheet?.answers == [2])
            #expect(!work.isCancelled)
        }
    }

    @Test("A change through one place ends the work of another place at the same part")
    func overlapping() {
        let component = component(
            StateDispatcher<Void, Sheet, Int>.pure { _ in .update { $0.detail = nil } }
                .widen(transformState: leftSheet, transformInput: left),
            detail.widen(
                transformState: leftSheet.appending(Lens(\Sheet.detail)).some(),
                transformInput: Input.prism(for: Input.detail)))
        component.send(.change { $0.left.sheet = Sheet(id: 1, detail: Detail(life: 1)) })
        let work = component.send(.detail(2))
        component.send(.left(0))
        #expect(work.isCancelled)
        scheduler.advance(by: .seconds(10))
    }

    @Test("Rows in a slice are found, wherever its indices begin")
    func slices() {
        let component = component(sheet.forEach(state: \App.slice, input: Input.prism(for: Input.row)))
        component.send(.change { $0.slice = (0..<6).map { Sheet(id: $0) }[...] })
        let works = (0..<6).map { component.send(.row($0, 5)) }
        component.send(.change { $0.slice.removeFirst(2) })
        component.send(.change { $0.slice.removeLast() })
        #expect(works.map(\.isCancelled) == [true, true, false, false, false, true])
        component.send(.change { $0.slice = $0.slice[5..<5] })
        #expect(works.allSatisfy { $0.isCancelled } as Bool)
        scheduler.advance(by: .seconds(10))
    }

    /// Workflows with work of a child that ignores its cancellation, and with what is around the child.
    enum Around: CaseIterable, Sendable {
        case parent, onCancel, innerPolicy, grandchild
    }

    @Test(
        "The place of a workflow is free as soon as all that runs belongs to an ended child", arguments: Around.allCases
    )
    func places(around: Around) {
        // Ignores its cancellation.
        let stubborn = StateDispatcher<Void, Sheet, Int>.effectful { [clock = scheduler.clock] seconds in
            EnvIO.sleep(for: .seconds(seconds), clock: clock).uncancellable().map {
                .update { $0.answers.append(seconds) }
            }
        }
        let own = Apps.workflow { input in
            guard case .left(let number) = input else { return [] }
            return [.pure(.update { $0.own.append(number) })]
        }
        let inApp = { (sheet: StateDispatcher<Void, Sheet, Int>) in
            sheet.widen(transformState: self.leftSheet, transformInput: self.left)
        }
        for policy in [Policy.first, .queued, .concurrent(limit: 1)] {
            let dispatcher =
                switch around {
                case .parent: own.combine(inApp(stubborn)).policy(policy)
                case .onCancel: own.combine(inApp(stubborn)).onCancel { _ in .pure(()) }.policy(policy)
                case .innerPolicy: own.combine(inApp(stubborn.policy(.latest))).policy(policy)
                case .grandchild:
                    inApp(stubborn.combine(detail.widen(transformState: Lens(\Sheet.detail).some()))).policy(policy)
                }
            let component = component(dispatcher)
            component.send(.change { $0.left.sheet = Sheet(id: 1, detail: Detail(life: 1)) })
            component.send(.left(5))
            component.send(.change { $0.left.sheet = Sheet(id: 2) })
            component.send(.left(1))
            scheduler.advance(by: .seconds(2))
            #expect(component.state.left.sheet?.answers == [1], "\(policy)")
            scheduler.advance(by: .seconds(9))
        }
    }

    @Test("A delayed workflow within a workflow makes no change of the next child, and its handle says so")
    func delayedWithin() {
        let logging = StateDispatcher<Void, Sheet, Int>.pure { number in .update { $0.answers.append(number) } }
            .widen(transformState: leftSheet, transformInput: left)
        let both = work("own") { (app: inout App, seconds: Int) in app.own.append(seconds) }
            .widen(transformInput: left).combine(logging)
        for dispatcher in [both.policy(.queued), both.onCancel { _ in .pure(()) }.policy(.queued)] {
            let component = component(dispatcher)
            component.send(.change { $0.left.sheet = Sheet(id: 1) })
            component.send(.left(3))
            let second = component.send(.left(1))
            component.send(.change { $0.left.sheet = Sheet(id: 2) })
            scheduler.advance(by: .seconds(9))
            #expect(component.state.left.sheet == Sheet(id: 2))
            #expect(component.state.own == [3, 1])
            #expect(second.isCancelled)
        }
    }

    @Test("An action works for the child that an earlier change of its input has put in place, under each policy")
    func replacing() {
        let waiting = sheet
        let replacing = StateDispatcher<Void, Sheet, Int>.pure { number in .set(Sheet(id: number)) }.combine(waiting)
            .widen(transformState: leftSheet, transformInput: left)
        let presenting = Apps.pure { input in
            .update { if case .left(let number) = input { $0.left.sheet = Sheet(id: number) } }
        }.combine(waiting.widen(transformState: leftSheet, transformInput: left))
        let policies = [Policy.concurrent, .concurrent(limit: 1), .latest, .queued, debounce()]
        for dispatcher in [replacing, presenting] {
            for policy in policies {
                let component = component(dispatcher.policy(policy))
                component.send(.change { $0.left.sheet = Sheet(id: 7) })
                component.send(.left(2))
                component.send(.left(1))
                scheduler.advance(by: .seconds(20))
                #expect(component.state.left.sheet == Sheet(id: 1, answers: [1]), "\(policy)")
            }
        }
    }

    @Test("Cancelling a handle within a change ends a workflow with a policy, too")
    func handleWithin() {
        for policy in [Policy.concurrent, .queued, .latest] {
            let adding = Apps.workflow { input in
                guard case .left = input else { return [] }
                return (1...3).map { number in .pure(.update { $0.own.append(number) }) }
            }
            let component = component(adding.policy(policy).policy(policy))
            let handle = Guarded<SendTask?>(nil)
            component.observe(initial: false) { [weak component] app in
                if handle.value == nil { handle.value = component?.send(.left(0)) }
                if app.own == [1] { handle.value?.cancel() }
            }
            component.send(.change { $0.right.sheet = Sheet(id: 1) })
            #expect(component.state.own == [1], "\(policy)")
            handle.value = nil
        }
    }

    @Test(
        "After a child's action has failed, no later action of the input begins, even if the failure removes the child")
    func failing() {
        struct Failure: Error {}
        let failing = StateDispatcher<Void, Sheet, Int>.effectful { _ in
            EnvIO { _ async throws in
                await Task.yield()
                throw Failure()
            }
        }
        let later = Apps.effectful { [log] input in
            EnvIO { _ async in
                if case .left = input { log.append("later") }
                return .pure(())
            }
        }
        let component = component(failing.widen(transformState: leftSheet, transformInput: left), later)
        component.onError { [weak component] _, _ in component?.send(.change { $0.left.sheet = nil }) }
        component.send(.change { $0.left.sheet = Sheet(id: 1) })
        scheduler.drain()
        log.removeAll()
        component.send(.left(1))
        scheduler.drain()
        #expect(component.state.left.sheet == nil)
        #expect(log.lines == [])
    }
}
