import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// The events of a trace for an input whose child is absent.
@Suite("Inputs of absent children", .timeLimit(.minutes(10)))
struct AbsentChildTests {
    struct Row: Equatable, Identifiable, Sendable {
        let id: Int
        var sum = 0
        var detail: Int?
    }

    enum Page: Equatable, AutoPrism, Sendable {
        case empty
        case sum(Int)
    }

    struct App: Equatable, Sendable {
        var optional: Int?
        var page = Page.empty
        var rows: [Row] = []
    }

    enum Input: Equatable, AutoPrism, Sendable {
        case child(Int)
        case row(Int, Int)
    }

    typealias Child = StateDispatcher<Void, Int, Int>
    typealias Apps = StateDispatcher<Void, App, Input>

    private let events = TraceBuffer()
    private let scheduler = VirtualScheduler()

    private static let add: @Sendable (Int) -> State<Int, Void> = { number in .update { $0 += number } }
    private static let waiting = Child.effectful { number in
        EnvIO { _ async in
            await Task.yield()
            return add(number)
        }
    }

    /// The ways in which a child can work. Each adds its input to the child once.
    enum Way: CaseIterable, Sendable {
        case pure, effectful, workflow, asynchronous, stream, policy, onChange, handleError, after

        var child: Child {
            switch self {
            case .pure: .pure(add)
            case .effectful: .effectful { .pure(add($0)) }
            case .workflow: .workflow { [.pure(.pure(())), EnvIO { _ in .pure(()) }, .pure(add($0))] }
            case .asynchronous: waiting
            case .stream:
                .stream { number, _ in
                    AsyncStream { stream in
                        stream.yield(add(number))
                        stream.finish()
                    }
                }
            case .policy: waiting.policy(.latest)
            case .onChange: Child.pure(add).onChange(of: \.self) { _, _ in .pure(()) }
            case .handleError: waiting.handleError { _, _ in .pure(()) }
            case .after: Child.effectful { _ in EnvIO { _ async in .pure(()) } }.combine(Self.stream.child)
            }
        }
    }

    /// The kinds of children, with the change of a present child of 1 and the input that adds 2.
    enum Kind: CaseIterable, Sendable {
        case optional, page, row, detail

        func dispatcher(_ child: Child) -> Apps {
            let (ofChild, ofRow) = (Input.prism(for: Input.child), Input.prism(for: Input.row))
            return switch self {
            case .optional: child.widen(transformState: Lens(\App.optional).some(), transformInput: ofChild)
            case .page:
                child.widen(
                    transformState: Lens(\App.page).appending(Page.prism(for: Page.sum)), transformInput: ofChild)
            case .row: child.widen(transformState: \Row.sum).forEach(state: \App.rows, input: ofRow)
            case .detail:
                child.widen(transformState: Lens(\Row.detail).some()).forEach(state: \App.rows, input: ofRow)
            }
        }

        func present(_ app: inout App, _ sum: Int = 1) {
            switch self {
            case .optional: app.optional = sum
            case .page: app.page = .sum(sum)
            case .row: app.rows = [Row(id: 7, sum: sum)]
            case .detail: app.rows = [Row(id: 7, detail: sum)]
            }
        }

        var input: Input { self == .optional || self == .page ? .child(2) : .row(7, 2) }
    }

    private func component(_ state: App, _ dispatcher: Apps) -> Component<App, Input> {
        Component(
            initialState: state, environment: (), executor: scheduler.executor, trace: Trace(to: events),
            dispatcher: dispatcher)
    }

    private var misses: [TraceValue] {
        events.all.compactMap { if case .dropped(let input, .absent) = $0.kind { input } else { nil } }
    }

    @Test("An input of an absent child is recorded once, and one of a present child is not", arguments: Kind.allCases)
    func kinds(kind: Kind) {
        for way in Way.allCases {
            for isPresent in [true, false] {
                events.removeAll()
                var (state, expected) = (App(), App())
                if isPresent {
                    kind.present(&state)
                    kind.present(&expected, 3)
                }
                let component = component(state, kind.dispatcher(way.child))
                component.send(kind.input)
                scheduler.drain()
                #expect(component.state == expected, "\(way)")
                #expect(misses.map { $0.value as? Input } == (isPresent ? [] : [kind.input]), "\(way)")
            }
        }
    }

    @Test("Whether a child is there is asked in the turn of its action: an earlier action may add or remove it")
    func turns() {
        for isAdded in [true, false] {
            for waits in [true, false] {
                events.removeAll()
                var state = App()
                if !isAdded { Kind.optional.present(&state) }
                let change: State<App, Void> = .update { $0.optional = isAdded ? 1 : nil }
                let first = Apps.effectful { _ in
                    waits
                        ? EnvIO { _ async in
                            await Task.yield()
                            return change
                        } : .pure(change)
                }
                let component = component(state, first.combine(Kind.optional.dispatcher(Self.waiting)))
                component.send(.child(2))
                scheduler.drain()
                #expect(component.state.optional == (isAdded ? 3 : nil))
                // A step after one that waits is not recorded: the input has reached something.
                #expect(misses.count == (isAdded || waits ? 0 : 1))
            }
        }
    }

    @Test("A case without actions, and an input of another child, are no inputs of an absent child")
    func noActions() {
        let none = Child.workflow { _ in [] }
        let component = component(App(), Kind.optional.dispatcher(none).combine(Kind.row.dispatcher(none)))
        component.send(.child(1))
        component.send(.row(7, 1))
        #expect(misses.isEmpty)
    }

    @Test("Work that has begun ends with its child, which is not recorded as an absent child")
    func endedLater() {
        var state = App()
        Kind.optional.present(&state)
        let removing = Apps.pure { input in
            if case .row = input { .update { $0.optional = nil } } else { .pure(()) }
        }
        let component = component(state, removing.combine(Kind.optional.dispatcher(Self.waiting.policy(.queued))))
        component.send(.child(2))
        component.send(.child(3))
        component.send(.row(0, 0))
        scheduler.drain()
        #expect(component.state == App())
        #expect(misses.isEmpty)
    }
}
