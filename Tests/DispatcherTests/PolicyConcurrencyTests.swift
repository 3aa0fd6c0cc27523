import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Policies under many inputs, from many threads.
@Suite("Policies: concurrency", .serialized, .timeLimit(.minutes(10)))
struct PolicyConcurrencyTests {
    /// Records the search that began last, the results that are shown, and the number of outdated results.
    struct Screen: Equatable, Sendable {
        var begun = 0
        var shown: [Int] = []
        var regressions = 0
    }

    private static let search = StateDispatcher<Void, Screen, Int>.workflow { number in
        [
            .pure(.update { $0.begun = number }),
            EnvIO { () async throws in
                await Task.yield()
                return .update { screen in
                    // No newer search may have begun before this result is shown.
                    if screen.begun != number { screen.regressions += 1 }
                    screen.shown.append(number)
                }
            },
        ]
    }

    @Test("Under latest, only the last of 10,000 rapid inputs commits its result")
    func latestOfMany() {
        let scheduler = VirtualScheduler()
        let component = Component(
            initialState: Screen(), environment: (), executor: scheduler.executor,
            dispatcher: Self.search.policy(.latest))
        for number in 1...10_000 { component.send(number) }
        scheduler.drain()
        #expect(component.state == Screen(begun: 10_000, shown: [10_000]))
    }

    @Test(
        "Under latest, threads commit no result after a newer input has begun, also while they cancel",
        arguments: [search.policy(.latest), search.policy(.queued).policy(.latest)])
    func latestFromThreads(dispatcher: StateDispatcher<Void, Screen, Int>) async {
        let component = Component(initialState: Screen(), environment: (), dispatcher: dispatcher)
        onThreads(8) { thread in
            for number in 0..<1_250 {
                let handle = component.send(number * 8 + thread)
                if number % 3 == 0 { handle.cancel() }
            }
        }
        await component.send(-1).finish()
        #expect(component.state.regressions == 0)
        #expect(component.state.begun == -1)
        #expect(component.state.shown.last == -1)
    }

    @Test("Under queued, inputs from eight threads neither overlap nor get lost")
    func queuedFromThreads() async {
        let component = Component(
            initialState: Screen(), environment: (), dispatcher: Self.search.policy(.queued))
        onThreads(8) { thread in
            for number in 0..<100 { component.send(number * 8 + thread) }
        }
        await component.send(-1).finish()
        #expect(component.state.regressions == 0)
        #expect(component.state.shown.count == 801)
        #expect(Set(component.state.shown.dropLast()) == Set(0..<800))
    }

    @Test("Under every policy, handles finish despite cancellation and release of the component")
    func everyHandleFinishes() async {
        for policy in [
            Policy.concurrent, .queued, .latest, .first, .debounce(for: .nanoseconds(1)),
            .throttle(for: .nanoseconds(1)),
        ] {
            let component = Guarded<Component<Screen, Int>?>(
                Component(
                    initialState: Screen(), environment: (),
                    dispatcher: Self.search.policy(policy, id: { $0 % 3 }).combine(Self.search.policy(policy))))
            let handles = Record<SendTask>()
            onThreads(8) { thread in
                for number in 0..<100 {
                    guard let handle = component.withLock({ $0 })?.send(number) else { return }
                    handles.append(handle)
                    if (number + thread) % 5 == 0 { handle.cancel() }
                    if thread == 0, number == 80 { component.withLock { $0 = nil } }
                }
            }
            for handle in handles.values { await handle.finish() }
        }
    }

    @Test("Threads cancel handles while policies within policies start their work, and each input ends")
    func nestedFromThreads() async throws {
        let nested = (2...4).reduce(Self.search) { search, limit in search.policy(.concurrent(limit: limit * 2)) }
        for _ in 0..<5 {
            let component = Component(initialState: Screen(), environment: (), dispatcher: nested)
            let handles = (0..<400).map { component.send($0) }
            onThreads(4) { thread in
                for handle in handles[(thread * 100)..<(thread * 100 + 100)] { handle.cancel() }
            }
            for handle in handles { await handle.waitUntilFinished() }
            try await component.settled()
        }
    }

    @Test("A policy does not accumulate the ids of finished inputs")
    func elementsLeaveNothingBehind() {
        final class Key: Hashable, Sendable {
            static func == (left: Key, right: Key) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        struct Keyed: Sendable { weak let key: Key? }
        let component = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Key>.pure { _ in .update { $0 += 1 } }.policy(.queued, id: { $0 }))
        var keys: [Keyed] = []
        for _ in 0..<1_000 {
            let key = Key()
            keys.append(Keyed(key: key))
            component.send(key)
        }
        #expect(component.state == 1_000)
        #expect(keys.filter { $0.key != nil }.count <= 32)
    }
}
