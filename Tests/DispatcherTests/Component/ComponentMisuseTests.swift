import Dispatch
import Dispatcher
import FunctionalCore
import TestSupport
import Testing

/// Programmer errors trap with a message that names the remedy.
@Suite("Component: misuse", .timeLimit(.minutes(10)))
struct ComponentMisuseTests {
    final class Link: @unchecked Sendable {
        // Unchecked: set before the first input and only read afterwards.
        weak var component: Component<Int, Bool>?
    }

    private static func component(
        _ link: Link = Link(), _ change: @escaping @Sendable (Component<Int, Bool>?, inout Int) -> Void
    ) -> Component<Int, Bool> {
        let component = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Bool>.pure { _ in .update { change(link.component, &$0) } })
        link.component = component
        return component
    }

    @Test("An input that a state update sends is enqueued")
    func sendingFromInsideAChange() {
        let component = Self.component { component, state in
            if state == 0 { component?.send(false) }
            state += 1
        }
        component.send(true)
        #expect(component.state == 2)
    }

    @Test("A state update may release a value that sends from its deinit")
    func sendingFromADeinit() {
        struct Screen: Sendable {
            var part: Witness?
            var count = 0
        }
        let dispatcher = StateDispatcher<Void, Screen, Bool>.pure { drops in
            .update { if drops { $0.part = nil } else { $0.count += 1 } }
        }
        let link = Guarded<Component<Screen, Bool>?>(nil)
        let component = Component(
            initialState: Screen(part: Witness { link.withLock { $0 }?.send(false) }), environment: (),
            dispatcher: dispatcher)
        link.withLock { $0 = component }
        component.send(true)
        #expect(component.state.count == 1)
        link.withLock { $0 = nil }
    }

    @Test("Observing a component from within its state update traps", .promptly)
    func observingFromInsideAChange() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.component { component, _ in component?.observe { _ in } }.send(true)
        }
        let message = result.standardErrorText
        #expect(message.contains("Component<Int, Bool> was observed from inside one of its own transitions. To fix, "))
    }

    @Test("Two components that read each other within state updates trap instead of deadlocking", .promptly)
    func readingEachOther() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entered = DispatchGroup()
            let links = [Link(), Link()]
            let components = [0, 1].map { index in
                Self.component(links[index]) { _, state in
                    entered.leave()
                    // Both threads are within a state update from here on.
                    entered.wait()
                    state = links[1 - index].component?.state ?? 0
                }
            }
            (links[0].component, links[1].component) = (components[0], components[1])
            for _ in components { entered.enter() }
            withExtendedLifetime(components) {
                onThreads(2) { thread in links[thread].component?.send(true) }
            }
        }
        let message = result.standardErrorText
        #expect(message.contains("Neither would ever end. To fix, read the other state before the transition"))
    }

    @Test("A state update may read another component")
    func readingAnother() {
        let other = Self.component { _, state in state += 1 }
        let reader = Self.component { _, state in state = other.state + 10 }
        onThreads(4) { thread in
            for _ in 0..<500 { if thread < 2 { other.send(true) } else { reader.send(true) } }
        }
        reader.send(true)
        #expect(reader.state == 1_010)
    }

    @Test(.promptly) func readingTheStateFromAStateUpdateTraps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.component { component, state in state = component?.state ?? 0 }.send(true)
        }
        let message = result.standardErrorText
        #expect(
            message.contains("Component<Int, Bool> was asked for its state from inside one of its own transitions."))
    }

    @Test("A trap in the `deinit` of a value that a state update drops names the `deinit`", .promptly)
    func readingTheStateFromADeinit() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let link = Guarded<Component<Witness?, Bool>?>(nil)
            let component = Component(
                initialState: Witness { _ = link.value?.state }, environment: (),
                dispatcher: StateDispatcher<Void, Witness?, Bool>.pure { _ in .set(nil) })
            link.value = component
            component.send(true)
        }
        let message = result.standardErrorText
        #expect(message.contains("was asked for its state from inside one of its own transitions. To fix, "))
        #expect(
            message.contains(
                """
                the likely cause is the `deinit` of a value that it drops: let the `deinit` send an input or an action \
                instead, which is processed after the transition.
                """))
    }

    @Test(.promptly) func aFailureWithoutAnErrorObserverIsWrittenToStandardError() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let dispatcher = StateDispatcher<Void, Int, String>.effectful { _ in .fail(Broken()) }
            Component(initialState: 0, environment: (), dispatcher: dispatcher).send("hello")
        }
        let message = result.standardErrorText
        #expect(
            message.contains("An action for the input hello failed, and no observer of errors is registered: Broken()"))
    }

    @Test(.promptly) func severalSubscriptionsWithOneIDAreReportedOnce() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let component = Component(
                initialState: 0, environment: (),
                dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .update { $0 = number } },
                subscriptions: { _ in
                    ["tick", "tock", "tick"].map { id in .run(id: id) { _, _ in } }
                })
            component.send(1)
            component.send(2)
        }
        #expect(
            result.standardErrorText.split(separator: "\n") == [
                """
                Several subscriptions have the id tick at the same time, and only the first of them runs. To fix, give \
                each an id of its own, or widen them with the ids of their children.
                """
            ])
    }
}
