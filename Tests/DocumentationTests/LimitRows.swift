import ArchitectureTesting
import ArchitectureTracing
import Dispatcher
import Effects
import Foundation
import FunctionalCore
import FunctionalLaws
import Loop
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

private typealias Parameter = LimitTests.Parameter

private struct Number: Action {
    var number = 1
}

private struct Failed: Error {}

extension VirtualScheduler {
    /// Advances the clock until no task sleeps, and returns the time.
    fileprivate func settle() -> Duration {
        drain()
        while let deadline = clock.nextDeadline { advance(to: deadline) }
        return clock.now.offset
    }
}

/// Adds each input.
private let adding = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }
private let counting: ReducerFn<Int> = on(Number.self) { (count: inout Int, action: Number) in count += action.number }

/// Dispatches the actions 1 and 2 to a store that runs a stream, and returns what the stream emits.
private func emitted<Output>(
    by scheduler: VirtualScheduler = VirtualScheduler(), onFailure: FailurePolicy = .stop,
    _ stream: @escaping @Sendable (ActionStream<Int>, VirtualClock) -> ActionStream<Output>
) -> [String] {
    let log = Log()
    let effect = Effect<Void>(dispatch: false, onFailure: onFailure) { actions in
        stream(actions.ofType(Number.self).map(\.number), scheduler.clock)
            .map { value -> any Action in
                log.append("\(value)")
                return Number()
            }
    }
    let store = Store(reducer: counting, initialState: 0, effects: [effect], executor: scheduler.executor)
    store.onError { _ in log.append("failed") }
    for number in 1...2 { store.dispatch(action: Number(number: number)) }
    _ = scheduler.settle()
    return log.lines
}

/// Returns the time after which a program ends.
private func time<Value: Sendable, Failure>(
    _ program: (VirtualClock) -> EnvIO<Void, Failure, Value>
) async throws -> Duration {
    let scheduler = VirtualScheduler()
    let program = program(scheduler.clock)
    _ = try scheduler.run { await program.outcome(()) }
    return scheduler.clock.now.offset
}

/// Returns the time after which a component under a policy has handled two inputs.
private func timeOfPolicy(_ policy: (VirtualClock) -> Policy) -> Duration {
    let scheduler = VirtualScheduler()
    let component = Component(
        initialState: 0, environment: (), executor: scheduler.executor,
        dispatcher: adding.policy(policy(scheduler.clock)))
    for number in 1...2 { component.send(number) }
    return scheduler.settle()
}

private func timeOfStream<Output>(
    _ stream: @escaping @Sendable (ActionStream<Int>, VirtualClock) -> ActionStream<Output>
) -> Duration {
    let scheduler = VirtualScheduler()
    _ = emitted(by: scheduler, stream)
    return scheduler.clock.now.offset
}

extension LimitTests {
    static let waits = [
        Parameter(waiting: "EnvIO.sleep for") { duration in
            try await time { EnvIO<Void, Never, Void>.sleep(for: duration, clock: $0) }
        },
        Parameter(waiting: "EnvIO.delay for") { duration in
            try await time { EnvIO<Void, Never, Int>.pure(1).delay(for: duration, clock: $0) }
        },
        Parameter(waiting: "EnvIO.timeout _") { duration in
            // The three overloads. The last one shows the time of all.
            let times = [
                try await time { EnvIO<Void, any Error, Int>.never.timeout(duration, clock: $0) },
                try await time { EnvIO<Void, Never, Int>.never.timeout(duration, clock: $0) },
                try await time { EnvIO<Void, Never, Int>.never.timeout(duration, clock: $0, otherwise: .pure(1)) },
            ]
            #expect(Set(times).count == 1)
            return times[0]
        },
        Parameter(waiting: "Policy.debounce for") { duration in timeOfPolicy { .debounce(for: duration, clock: $0) } },
        Parameter(waiting: "Policy.debounce atMost") { duration in
            timeOfPolicy { .debounce(for: .seconds(Int64.max), atMost: duration, clock: $0) }
        },
        Parameter(waiting: "Policy.throttle for") { duration in timeOfPolicy { .throttle(for: duration, clock: $0) } },
        Parameter(waiting: "ActionStream.debounce for") { duration in
            timeOfStream { $0.debounce(for: duration, clock: $1) }
        },
        Parameter(waiting: "ActionStream.throttle for") { duration in
            timeOfStream { $0.throttle(for: duration, clock: $1) }
        },
        Parameter(waiting: "ActionStream.delay for") { duration in timeOfStream { $0.delay(for: duration, clock: $1) }
        },
        Parameter(waiting: "ActionStream.timeout _") { duration in timeOfStream { $0.timeout(duration, clock: $1) } },
        Parameter(waiting: "Schedule.spaced _") { Schedule<Int>.spaced($0).delays(for: 1...1)[0] },
        Parameter(waiting: "Schedule.fibonacci _") { Schedule<Int>.fibonacci($0).delays(for: 1...9)[8] },
        Parameter(waiting: "Schedule.exponential base") { Schedule<Int>.exponential(base: $0).delays(for: 1...9)[8] },
        Parameter(waiting: "Schedule.capped at") { duration in
            Schedule<Int>.spaced(.seconds(Int64.max)).capped(at: duration).delays(for: 1...1)[0]
        },
        Parameter(waiting: "VirtualClock.advance by") { duration in
            let (clock, scheduler) = (VirtualClock(), VirtualScheduler())
            clock.advance(by: duration)
            scheduler.clock.advance(by: duration, draining: scheduler.executor)
            #expect(clock.now == scheduler.clock.now)
            return clock.now.offset
        },
        Parameter(waiting: "VirtualScheduler.advance by") { duration in
            let scheduler = VirtualScheduler()
            scheduler.advance(by: duration)
            return scheduler.clock.now.offset
        },
    ]

    /// Times that must be positive, and limits of times that are only compared.
    static let periods = [
        Parameter(
            "ActionStream.interval _", .trap("ActionStream.interval cannot emit a number every -"),
            .trap("ActionStream.interval cannot emit a number every 0.0 seconds."), .is("3153600000.0 seconds")
        ) { extreme in
            let scheduler = VirtualScheduler()
            let effect = Effect<Void> { _ in
                ActionStream.interval(extreme.duration, clock: scheduler.clock).map { Number(number: $0) }
                    .eraseActionType()
            }
            let store = Store(reducer: counting, initialState: 0, effects: [effect], executor: scheduler.executor)
            scheduler.drain()
            return withExtendedLifetime(store) { "\(scheduler.clock.nextDeadline?.offset ?? .zero)" }
        },
        Parameter(
            "Subscription.every _", .trap("A subscription that sends Int has an interval of -"),
            .trap("A subscription that sends Int has an interval of 0.0 seconds"), .is("3153600000.0 seconds")
        ) { extreme in
            let scheduler = VirtualScheduler()
            let component = Component(
                initialState: 0, environment: (), executor: scheduler.executor, dispatcher: adding,
                subscriptions: { _ in [.every(extreme.duration, id: 1, clock: scheduler.clock) { 1 }] })
            scheduler.drain()
            return withExtendedLifetime(component) { "\(scheduler.clock.nextDeadline?.offset ?? .zero)" }
        },
        Parameter(
            "Schedule.fixedRate _", .trap("is not valid: a period must be positive"),
            .trap("is not valid: a period must be positive"), .is("3153600000.0 seconds")
        ) { extreme in "\(Schedule<Int>.fixedRate(extreme.duration).delays(for: 1...1)[0])" },
        Parameter("Schedule.upTo _", .is("0"), .is("0"), .is("3")) { extreme in
            "\(Schedule<Int>.spaced(.seconds(1)).upTo(extreme.duration).delays(for: 1...3).count)"
        },
    ]

    static let streamCounts = [
        Parameter(
            "ActionStream.prefix _", .trap("prefix of a stream of Int received -1. To fix, pass 0 or more."), .is("[]"),
            .is(#"["1", "2"]"#)
        ) { extreme in "\(emitted { stream, _ in stream.prefix(extreme.count) })" },
        Parameter(
            "ActionStream.dropFirst _", .trap("dropFirst of a stream of Int received -1. To fix, pass 0 or more."),
            .is(#"["1", "2"]"#), .is("[]")
        ) { extreme in "\(emitted { stream, _ in stream.dropFirst(extreme.count) })" },
        Parameter(
            "ActionStream.collect _", nil,
            .trap("A stream of Int cannot be collected into arrays of 0 values. To fix, "),
            .is(#"["[1, 2]"]"#)
        ) { extreme in "\(emitted { stream, _ in stream.prefix(2).collect(extreme.count) })" },
        Parameter(
            "ActionStream.retry _", .trap("retry of a stream of Int received -1. To fix, pass 0 or more."),
            .is(#"["failed"]"#), .is(#"["2"]"#)
        ) { extreme in
            "\(emitted { stream, _ in stream.tryMap { if $0 == 1 { throw Failed() } else { $0 } }.retry(extreme.count) })"
        },
        Parameter(
            "FailurePolicy.restart atMost", .trap("LimitRows.swift"), .is(#"["failed"]"#), .is(#"["failed", "failed"]"#)
        ) { extreme in
            let lines = emitted(onFailure: .restart(atMost: extreme.count, after: .forever)) { stream, _ in
                stream.tryMap { _ in throw Failed() } as ActionStream<Int>
            }
            return "\(lines)"
        },
        Parameter(
            "Selection.dropFirst _", .trap("dropFirst of a selection of Int received -1. To fix, pass 0 or more."),
            .is("[0, 1]"), .is("[]")
        ) { extreme in
            let (store, seen) = (Store(reducer: counting, initialState: 0), Record<Int>())
            let registration = store.select { $0 }.dropFirst(extreme.count).observe { seen.append($0) }
            store.dispatch(action: Number())
            return withExtendedLifetime(registration) { "\(seen.values)" }
        },
    ]

    static let ownerCounts = [
        Parameter(
            "Component.init maximumChain", .trap("The maximumChain of Component<Int, Int> received -1. To fix, "),
            .is("2"), .is("3")
        ) { extreme in
            let component = Component(
                initialState: 0, environment: (), maximumChain: extreme.count, dispatcher: adding)
            component.onError { _, _ in }
            component.observe { [weak component] state in if (1...2).contains(state) { component?.send(1) } }
            component.send(1)
            return "\(component.state)"
        },
        Parameter(
            "Store.init maximumChain", .trap("The maximumChain of Store<Int> received -1. To fix, pass 0 or more."),
            .is("2"), .is("3")
        ) { extreme in
            let store = Store(reducer: counting, initialState: 0, maximumChain: extreme.count)
            store.onError { _ in }
            store.observe { [weak store] state in if (1...2).contains(state) { store?.dispatch(action: Number()) } }
            store.dispatch(action: Number())
            return "\(store.state)"
        },
        Parameter(
            "Mobius.Builder.withMaximumChain _", .trap("The maximumChain of MobiusLoop<Int, Int, Int> received -1."),
            .is("2"), .is("3")
        ) { extreme in
            let loop = builder.withMaximumChain(extreme.count).onError { _, _ in }.start(from: 0)
            loop.addObserver { [weak loop] model in if (1...2).contains(model) { loop?.dispatchEvent(1) } }
            loop.dispatchEvent(1)
            return "\(loop.latestModel)"
        },
        Parameter(
            "Policy.concurrent limit", nil,
            .trap("Policy.concurrent(limit:) received 0. To fix, pass 1 or more."), .is("1.0 seconds")
        ) { extreme in
            let scheduler = VirtualScheduler()
            let clock = scheduler.clock
            let sleeping = StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { () async throws in
                    try await clock.sleep(for: .seconds(1))
                    return .set(number)
                }
            }
            let component = Component(
                initialState: 0, environment: (), executor: scheduler.executor,
                dispatcher: sleeping.policy(.concurrent(limit: extreme.count)))
            for number in 1...2 { component.send(number) }
            return "\(scheduler.settle())"
        },
        Parameter(
            "Trace.init maximumGrowth", .trap("The maximumGrowth of a Trace received -1. To fix, pass 0 or more."),
            .is("1"), .is("1")
        ) { extreme in
            let trace = Trace(to: TraceBuffer(), maximumGrowth: extreme.count)
            let component = Component(initialState: 0, environment: (), trace: trace, dispatcher: adding)
            component.send(1)
            return "\(component.state)"
        },
        Parameter(
            "TraceBuffer.init capacity", .trap("The capacity of a TraceBuffer received -1. To fix, pass 0 or more."),
            .is("1"), .is("2")
        ) { extreme in
            let (events, all) = (TraceBuffer(capacity: extreme.count), TraceBuffer())
            let component = Component(initialState: 0, environment: (), trace: Trace(to: all), dispatcher: adding)
            component.send(1)
            for event in all.all.prefix(2) { events.receive(event) }
            return "\(events.all.count)"
        },
        Parameter(
            "JSONLinesFile.Writing.inBackground capacity",
            .trap("The capacity of a JSONLinesFile received -1. To fix, pass 0 or more."), .is("4"), .is("4")
        ) { extreme in
            let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            let file = try JSONLinesFile(at: url, writing: .inBackground(capacity: extreme.count))
            let component = Component(initialState: 0, environment: (), trace: Trace(to: file), dispatcher: adding)
            component.send(1)
            file.close()
            defer { try? FileManager.default.removeItem(at: url) }
            return "\(try JSONLines(decoding: Data(contentsOf: url)).records.count)"
        },
    ]

    private static let builder = Mobius.loop(
        update: { (model: Int, event: Int) -> Next<Int, Int> in .next(model + event) },
        effectHandler: EffectRouter<Int, Int>().routeEffects { $0 }.to { _ in })
}
