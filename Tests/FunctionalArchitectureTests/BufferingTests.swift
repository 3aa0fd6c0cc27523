import FunctionalArchitecture
import Synchronization
import TestSupport
import Testing

/// Observers that are slower than the changes, in all front doors.
@Suite("Buffering of observers", .timeLimit(.minutes(10)))
@MainActor struct BufferingTests {
    private struct Numbers: Sendable, Equatable {
        var first = 0
        var other = 0
    }

    /// A policy, before the type of the values is known.
    private enum Buffering: Sendable {
        case unbounded
        case newest(Int)
        case oldest(Int)

        func policy<Value>() -> AsyncStream<Value>.Continuation.BufferingPolicy {
            switch self {
            case .unbounded: .unbounded
            case .newest(let count): .bufferingNewest(count)
            case .oldest(let count): .bufferingOldest(count)
            }
        }
    }

    private struct Set: Action {
        let number: Int
    }

    private final class Screen: Sendable {
        let seen = Record<Int>()
        func see(_ numbers: Numbers) { seen.append(numbers.first) }
    }

    /// An observed owner: makes a change, waits for its observers.
    private struct Row: Sendable {
        let name: String
        let screen: Screen
        let change: @Sendable (Int) -> Void
        let settle: @Sendable () async throws -> Void
        /// What observes, and is retained meanwhile.
        let observing: Any & Sendable
    }

    private static func component() -> Component<Numbers, Int> {
        Component(
            initialState: Numbers(), environment: (),
            dispatcher: StateDispatcher<Void, Numbers, Int>.pure { number in .update { $0.first = number } })
    }

    private static func store() -> Store<Numbers> {
        Store(
            reducer: { numbers, action in if let set = action as? Set { numbers.first = set.number } },
            initialState: Numbers())
    }

    private static func row(
        _ name: String, _ observe: @MainActor (Component<Numbers, Int>, Screen) -> Registration
    ) -> Row {
        let (component, screen) = (component(), Screen())
        return Row(
            name: name, screen: screen, change: { component.send($0) },
            settle: { try await component.settledIncludingObservers() },
            observing: observe(component, screen))
    }

    private static func row(
        _ name: String, _ observe: @MainActor (Store<Numbers>, Screen) -> Registration
    ) -> Row {
        let (store, screen) = (store(), Screen())
        return Row(
            name: name, screen: screen, change: { store.dispatch(action: Set(number: $0)) },
            settle: { try await store.settledIncludingObservers() },
            observing: observe(store, screen))
    }

    private static func loop(_ buffering: Buffering) -> Row {
        let update = Update<Numbers, Int, Never> { numbers, number in
            .next(Numbers(first: number, other: numbers.other))
        }
        let loop = Mobius.loop(update: update, effectHandler: EffectRouter<Never, Int>()).start(from: Numbers())
        let screen = Screen()
        _ = loop.addObserver(buffering: buffering.policy()) { screen.see($0) }
        return Row(
            name: "loop", screen: screen, change: { loop.dispatchEvent($0) },
            settle: { try await loop.settledIncludingObservers() }, observing: loop)
    }

    /// Each form of observing in which the closure belongs to the main actor.
    private static func rows(_ buffering: Buffering) -> [Row] {
        [
            row("component") { (component: Component, screen) in
                component.observe(buffering: buffering.policy()) { screen.see($0) }
            },
            row("component, part") { (component: Component, screen) in
                component.observe(\.first, buffering: buffering.policy()) { screen.seen.append($0) }
            },
            row("component, with an owner") { (component: Component, screen) in
                component.observe(with: screen, buffering: buffering.policy()) { screen, numbers in screen.see(numbers)
                }
            },
            row("scope") { (component: Component, screen) in
                component.scope(state: \.first, input: { $0 }).observe(buffering: buffering.policy()) {
                    screen.seen.append($0)
                }
            },
            row("scope, with an owner") { (component: Component, screen) in
                component.scope(state: \.first, input: { $0 }).observe(with: screen, buffering: buffering.policy()) {
                    $0.seen.append($1)
                }
            },
            loop(buffering),
            row("store") { (store: Store, screen) in store.observe(buffering: buffering.policy()) { screen.see($0) } },
            row("store scope") { (store: Store, screen) in
                store.scope(state: \.first).observe(buffering: buffering.policy()) { screen.seen.append($0) }
            },
            row("store scope, with an owner") { (store: Store, screen) in
                store.scope(state: \.first).observe(with: screen, buffering: buffering.policy()) { $0.seen.append($1) }
            },
            row("selection") { (store: Store, screen) in
                store.select(\.first).observe(buffering: buffering.policy()) { screen.seen.append($0) }
            },
            row("selection, with an owner") { (store: Store, screen) in
                store.select(\.first).observe(with: screen, buffering: buffering.policy()) { $0.seen.append($1) }
            },
        ]
    }

    @Test(
        "An observer whose actor is busy receives the newest of the values that wait, or all of them",
        arguments: [
            (Buffering.unbounded, [0, 1, 2, 3, 4, 5, 6]), (.newest(1), [0, 5, 6]), (.newest(2), [0, 4, 5, 6]),
            (.newest(5), [0, 1, 2, 3, 4, 5, 6]), (.oldest(2), [0, 1, 2, 6]),
        ])
    private func busyActor(_ buffering: Buffering, _ seen: [Int]) async throws {
        for row in Self.rows(buffering) {
            // The main actor is busy until this returns.
            onThreads(1) { _ in for number in 1...5 { row.change(number) } }
            try await row.settle()
            onThreads(1) { _ in row.change(6) }
            try await row.settle()
            #expect(row.screen.seen.values == seen, "\(row.name)")
        }
    }

    @Test("What an observer does with the newest value is caused by the message that led to the value")
    func cause() async throws {
        let events = TraceBuffer()
        let trace = Trace(to: events)
        let dispatcher = StateDispatcher<Void, Int, Int>.pure { .set($0) }
        let (source, target) = (
            Component(initialState: 0, environment: (), trace: trace, dispatcher: dispatcher),
            Component(initialState: 0, environment: (), trace: trace, dispatcher: dispatcher)
        )
        source.observe(initial: false, buffering: .bufferingNewest(1)) { target.send($0) }
        onThreads(1) { _ in for number in 1...3 { source.send(number) } }
        try await source.settledIncludingObservers()
        let received = events.all.compactMap { event -> (id: Int, cause: Int?, value: String)? in
            guard case .received(let value, _) = event.kind else { return nil }
            return (event.id, event.cause, "\(value)")
        }
        try #require(received.map(\.value) == ["1", "2", "3", "3"])
        #expect(received[3].cause == received[2].id)
    }

    @Test("A value that is skipped is released, and none is passed on after the observer was cancelled")
    func releasing() async throws {
        let component = Component(
            initialState: Witness {}, environment: (),
            dispatcher: StateDispatcher<Void, Witness, Witness>.pure { .set($0) })
        let (released, seen) = (Record<Int>(), Record<Int>())
        let registration = component.observe(initial: false, buffering: .bufferingNewest(1)) { _ in seen.append(0) }
        onThreads(1) { _ in
            for number in 1...3 { component.send(Witness { released.append(number) }) }
        }
        #expect(released.values == [1, 2])
        registration.cancel()
        try await component.settledIncludingObservers()
        #expect(seen.values.isEmpty)
    }

    @Test("A buffer without room traps")
    func misuse() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = BufferingTests.rows(.newest(0)) }
        }
        #expect(result.standardErrorText.contains("The buffering of an observer received 0. To fix, pass 1 or more."))
    }
}
