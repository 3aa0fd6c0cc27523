import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// The change for work that is cancelled.
@Suite("onCancel", .timeLimit(.minutes(10)))
struct OnCancelTests {
    struct Failure: Error {}

    struct Child: Equatable, Identifiable, Sendable {
        var id = 1
        var log: [String] = []
    }

    struct App: Equatable, Sendable {
        var child: Child? = Child()
    }

    enum Input: Equatable, AutoPrism, Sendable {
        case load(Int)
        case replaceLog
        case replace
        case dismiss
    }

    typealias Loading = StateDispatcher<Void, Child, Int>
    typealias Apps = StateDispatcher<Void, App, Input>

    private let scheduler = VirtualScheduler()
    private let states = Log()

    private static func add(_ text: String) -> State<Child, Void> { .update { $0.log.append(text) } }

    /// Writes when it begins, and a second later that it has ended. A negative number fails.
    private var loading: Loading {
        .workflow { [clock = scheduler.clock] number in
            [
                .pure(Self.add("begin \(number)")),
                EnvIO { _ async throws in
                    try await clock.sleep(for: .seconds(1))
                    if number < 0 { throw Failure() }
                    return Self.add("end \(number)")
                },
            ]
        }
    }

    private func cancelling(_ loading: Loading) -> Loading {
        loading.onCancel { Self.add("cancel \($0)") }
    }

    private func component(_ loading: Loading) -> Component<App, Input> {
        let changes = Apps.workflow { input in
            switch input {
            case .load: []
            case .replaceLog: [.pure(.update { $0.child?.log = ["replaced"] })]
            case .replace: [.pure(.update { $0.child = Child(id: 2) })]
            case .dismiss: [.pure(.update { $0.child = nil })]
            }
        }
        let component = Component(
            initialState: App(), environment: (), executor: scheduler.executor,
            dispatcher: changes.combine(
                loading.widen(
                    transformState: Lens(\App.child).some(), transformInput: Input.prism(for: Input.load))))
        component.onError { _, _ in }
        return component
    }

    private func log(_ component: Component<App, Input>) -> [String] { component.state.child?.log ?? [] }

    /// Ways to call `onCancel` for loading with a policy.
    enum Place: CaseIterable, Sendable {
        case before, after, outside, within
    }

    private func loading(_ policy: Policy, _ place: Place) -> Loading {
        switch place {
        case .before: cancelling(loading).policy(policy)
        case .after: cancelling(loading.policy(policy))
        case .outside: cancelling(loading.policy(policy).policy(.concurrent(limit: 100)))
        case .within: cancelling(loading).policy(policy).handleError { _, _ in Self.add("failed") }
        }
    }

    @Test("The change for replaced work is made before the newer work begins", arguments: Place.allCases)
    func replaced(place: Place) {
        let component = component(loading(.latest, place))
        for number in 1...3 { component.send(.load(number)) }
        #expect(log(component) == ["begin 1", "cancel 1", "begin 2", "cancel 2", "begin 3"])
        scheduler.advance(by: .seconds(5))
        component.send(.load(4))
        scheduler.advance(by: .seconds(5))
        #expect(log(component).suffix(4) == ["begin 3", "end 3", "begin 4", "end 4"])
    }

    @Test("A clock that starts newer work makes the change for the work that it replaces, too")
    func timed() {
        let policy = Policy.debounce(for: .milliseconds(500), clock: scheduler.clock)
        let component = component(cancelling(loading).policy(policy))
        component.send(.load(1))
        scheduler.advance(by: .milliseconds(600))
        component.send(.load(2))
        scheduler.advance(by: .seconds(5))
        #expect(log(component) == ["begin 1", "cancel 1", "begin 2", "end 2"])
    }

    @Test("The handle makes the change at once, and within a change in turn", arguments: Place.allCases)
    func handle(place: Place) {
        let component = component(loading(.concurrent(limit: 9), place))
        let first = component.send(.load(1))
        for _ in 0..<2 { first.cancel() }
        #expect(log(component) == ["begin 1", "cancel 1"])
        let second = component.send(.load(2))
        component.observe(initial: false) { [states] state in
            states.append(state.child?.log.last ?? "")
            second.cancel()
            states.append("cancelled")
        }
        component.send(.load(3))
        #expect(states.lines == ["begin 3", "cancelled", "cancel 2", "cancelled"])
        scheduler.advance(by: .seconds(5))
        #expect(log(component).suffix(2) == ["cancel 2", "end 3"])
    }

    @Test("An observer of the last change that cancels the handle cancels nothing", arguments: Place.allCases)
    func lastChange(place: Place) {
        let component = component(loading(.queued, place))
        let handle = component.send(.load(1))
        component.observe(initial: false) { _ in handle.cancel() }
        scheduler.advance(by: .seconds(5))
        #expect(log(component) == ["begin 1", "end 1"])
    }

    /// The ends of work that do not make the change.
    enum Otherwise: CaseIterable, Sendable {
        case ended, failed, replacedChild, dismissedChild, waiting, dropped, component
    }

    @Test(
        "No change is made for work that has ended, has failed, has not begun, or ends with its child or its component",
        arguments: Otherwise.allCases, Place.allCases)
    func otherwise(what: Otherwise, place: Place) {
        var component: Component? = component(loading(what == .dropped ? .first : .queued, place))
        component?.observe(initial: false) { [states] state in states.append(state.child?.log.last ?? "") }
        let handle = component?.send(.load(what == .failed ? -1 : 1))
        switch what {
        case .ended, .failed:
            scheduler.advance(by: .seconds(5))
            handle?.cancel()
        case .replacedChild: component?.send(.replace)
        case .dismissedChild: component?.send(.dismiss)
        case .waiting, .dropped: component?.send(.load(2)).cancel()
        case .component: component = nil
        }
        scheduler.advance(by: .seconds(5))
        #expect(states.lines.first?.hasPrefix("begin") == true)
        #expect(!states.lines.contains { $0.hasPrefix("cancel") })
    }

    @Test("Of several workflows of an input, the first that is cancelled makes the change")
    func several() {
        let all = loading.combine(loading.policy(.concurrent(limit: 9))).combine(loading.policy(.latest))
        let component = component(cancelling(all))
        let handle = component.send(.load(1))
        component.send(.load(2))
        handle.cancel()
        #expect(
            log(component) == ["begin 1", "begin 1", "begin 1", "begin 2", "begin 2", "cancel 1", "begin 2"])
        scheduler.advance(by: .seconds(5))
        #expect(log(component).suffix(3) == ["end 2", "end 2", "end 2"])
    }

    @Test("A handle that is cancelled before newer work of the policy begins makes the change before it")
    func cancelledWhileBusy() {
        for policy in [Policy.latest, .first, .queued] {
            let component = component(cancelling(loading).policy(policy))
            let first = component.send(.load(1))
            component.observe(initial: false) { [weak component] state in
                guard state.child?.log == ["replaced"] else { return }
                component?.send(.load(2))
                first.cancel()
            }
            component.send(.replaceLog)
            scheduler.advance(by: .seconds(5))
            #expect(log(component) == ["replaced", "cancel 1", "begin 2", "end 2"])
        }
    }

    @Test("No change is made for the next child, if it has come before the turn of the change")
    func replacedMeanwhile() {
        let component = component(cancelling(loading).policy(.latest))
        let first = component.send(.load(1))
        component.observe(initial: false) { [weak component] state in
            guard state.child?.log == ["replaced"] else { return }
            component?.send(.replace)
            first.cancel()
        }
        component.send(.replaceLog)
        scheduler.advance(by: .seconds(5))
        #expect(component.state.child == Child(id: 2))
    }

    @Test("Work that is cancelled between its actions makes the change, and begins no further action")
    func between() {
        for place in Place.allCases {
            let component = component(loading(.queued, place))
            component.send(.load(1))
            let second = component.send(.load(2))
            component.observe(initial: false) { state in if state.child?.log.last == "begin 2" { second.cancel() } }
            scheduler.advance(by: .seconds(5))
            #expect(log(component) == ["begin 1", "end 1", "begin 2", "cancel 2"])
        }
    }

    @Test("An action that cancels its own handle commits nothing")
    func ownHandle() {
        let own = Guarded<SendTask?>(nil)
        let loading = Loading.workflow { [states] number in
            [
                .pure(Self.add("begin \(number)")),
                EnvIO { _ async in
                    await Task.yield()
                    return Self.add("middle \(number)")
                },
                EnvIO { _ in
                    own.value?.cancel()
                    states.append("acted")
                    return Self.add("end \(number)")
                },
            ]
        }
        let component = component(cancelling(loading))
        component.observe(initial: false) { [states] state in states.append(state.child?.log.last ?? "") }
        own.value = component.send(.load(1))
        scheduler.drain()
        #expect(states.lines == ["begin 1", "middle 1", "cancel 1", "acted"])
        own.value = nil
    }

    @Test("An input that has made a change, and whose other work waits for a policy, makes the change")
    func waitingPart() {
        let policies = [Policy.debounce(for: .seconds(1), clock: scheduler.clock), .concurrent(limit: 1)]
        for policy in policies {
            let dispatcher = Loading.pure { Self.add("on \($0)") }.combine(loading.policy(policy))
            for isReplaced in [true, false] {
                let cancelling = cancelling(dispatcher)
                let component = component(isReplaced ? cancelling.policy(.latest, id: { $0 > 1 }) : cancelling)
                component.send(.load(1))
                let second = component.send(.load(2))
                if isReplaced { component.send(.load(3)) } else { second.cancel() }
                #expect(log(component).contains("cancel 2"))
                scheduler.advance(by: .seconds(9))
                #expect(!log(component).contains { $0 == "begin 2" })
            }
        }
    }

    @Test("Both changes of two calls are made, the inner one first")
    func twice() {
        let component = component(cancelling(loading).onCancel { Self.add("outer \($0)") })
        component.send(.load(1)).cancel()
        #expect(log(component) == ["begin 1", "cancel 1", "outer 1"])
        scheduler.advance(by: .seconds(5))
    }

    @Test("An input of pure changes makes them as before, and a stream is cancelled, too")
    func otherActions() {
        let pure = component(cancelling(.pure { Self.add("set \($0)") }))
        pure.send(.load(1)).cancel()
        #expect(log(pure) == ["set 1"])
        let (stream, continuation) = AsyncStream.makeStream(of: State<Child, Void>.self)
        let component = component(cancelling(.stream { _, _ in stream }))
        let handle = component.send(.load(1))
        scheduler.drain()
        continuation.yield(Self.add("a"))
        scheduler.drain()
        handle.cancel()
        scheduler.drain()
        #expect(log(component) == ["a", "cancel 1"])
    }

    @Test("If threads cancel work that ends, either its last change or the change of onCancel is made")
    func threads() async throws {
        let loading = Loading.workflow { number in
            let work = EnvIO<Void, any Error, State<Child, Void>> { _ async in
                await Task.yield()
                return Self.add("end \(number)")
            }
            return [.pure(Self.add("begin \(number)")), work]
        }
        let component = Component(
            initialState: Child(), environment: (), dispatcher: cancelling(loading).policy(.concurrent(limit: 4)))
        let handles = (0..<400).map { component.send($0) }
        await withTaskGroup(of: Void.self) { group in
            for handle in handles { group.addTask { handle.cancel() } }
        }
        try await component.settled()
        let log = component.state.log
        #expect(Set(log).count == log.count)
        for (number, handle) in handles.enumerated() {
            let (began, ended) = (log.contains("begin \(number)"), log.contains("end \(number)"))
            #expect(log.contains("cancel \(number)") == (began && !ended))
            #expect(ended || handle.isCancelled)
        }
    }
}
