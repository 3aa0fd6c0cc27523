import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// `Mobius.Builder.withExecutor(_:)`.
@Suite("The executor of a loop", .timeLimit(.minutes(10)))
struct LoopExecutorTests {
    private let scheduler = VirtualScheduler()

    /// Collects events. A positive event causes an effect instead.
    private static let update = Update<[Int], Int, Int> { model, event in
        event > 0 ? .dispatchEffects([event]) : .next(model + [event])
    }

    @Test(
        "130. Policies, and the tasks of a router within a router, run on the executor of the loop",
        arguments: [true, false])
    func handlers(isPolicy: Bool) {
        let clock = scheduler.clock
        let route = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
        let nested = route.toEvent { seconds async throws -> Int? in
            try await clock.sleep(for: .seconds(seconds))
            return -seconds
        }
        let router =
            isPolicy ? route.policy(.debounce(for: .seconds(1), clock: clock)).toEvent { -$0 } : route.to(nested)
        let loop = Mobius.loop(update: Self.update, effectHandler: router).withExecutor(scheduler.executor)
            .start(from: [])
        loop.dispatchEvent(1)
        scheduler.advance(by: .milliseconds(999))
        #expect(loop.latestModel == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(loop.latestModel == [-1])
        loop.dispose()
        scheduler.drain()
    }

    @Test("130. A router's own executor comes before that of the loop")
    func routerWithExecutor() {
        let handler = EffectRouter<Int, Int>(executor: scheduler.executor).routeEffects(withParameters: { $0 })
            .toEvent { number async -> Int? in -number }
        let other = ManualExecutor()
        let loop = Mobius.loop(update: Self.update, effectHandler: handler).withExecutor(other).start(from: [])
        loop.dispatchEvent(1)
        #expect(other.readyCount == 0)
        scheduler.drain()
        #expect(loop.latestModel == [-1])
        loop.dispose()
    }

    @Test("130. The task of an event source that is a sequence runs on the executor of the loop")
    func source() {
        let clock = scheduler.clock
        let loop = Mobius.beginnerLoop { (count: Int, step: Int) in count + step }
            .withEventSource {
                AsyncThrowingStream<Int, any Error>(unfolding: { () async throws -> Int? in
                    try await clock.sleep(for: .seconds(1))
                    return 1
                })
            }
            .withExecutor(scheduler.executor)
            .start(from: 0)
        scheduler.advance(by: .seconds(3))
        #expect(loop.latestModel == 3)
        loop.dispose()
        scheduler.drain()
    }

    @Test("130. A drain that leaves a thread after its fair share goes on in a task on the executor of the loop")
    func drain() {
        let slot = Guarded<MobiusLoop<[Int], Int, Int>?>(nil)
        let handler = EffectSwitch<Int, Int> { effect in
            // Another thread sends more than a thread has to process, and the last of these events has a consequence.
            if effect == 1 {
                .to {
                    onThreads(1) { _ in for number in 0..<1_500 { slot.value?.dispatchEvent(number == 1_499 ? 2 : 0) } }
                }
            } else {
                .toEvent { -1 }
            }
        }
        let loop = Mobius.loop(update: Self.update, effectHandler: handler).withExecutor(scheduler.executor)
            .start(from: [])
        slot.value = loop
        loop.dispatchEvent(1)
        #expect(loop.latestModel.count == 1_499)
        #expect(scheduler.executor.readyCount == 1)
        scheduler.drain()
        #expect(loop.latestModel.last == -1)
        slot.value = nil
        loop.dispose()
    }
}
