import ArchitectureTesting
import Dispatch
import Dispatcher
import Foundation
import FunctionalCore
import Loop
import Synchronization
import TestSupport
import Testing
import VirtualTime

/// Drivers wait for each kind of code that leaves their executor. `.ci/driver-runs` repeats these tests many times.
@Suite(.serialized, .timeLimit(.minutes(600))) struct EventuallyRunTests {
    /// The number of runs of each test, and whether threads keep all cores busy meanwhile.
    private static let runs = ProcessInfo.processInfo.environment["DRIVER_RUNS"].flatMap(Int.init) ?? 20
    private static let isBusy = ProcessInfo.processInfo.environment["DRIVER_RUNS"] != nil

    /// Calls `body` as often as the environment asks for.
    private nonisolated(nonsending) func repeated(_ body: nonisolated(nonsending) () async -> Void) async {
        let isOver = IsOver()
        defer { isOver.value.store(true, ordering: .relaxed) }
        if Self.isBusy {
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                Thread { while !isOver.value.load(ordering: .relaxed) {} }.start()
            }
        }
        for _ in 0..<Self.runs { await body() }
    }

    private final class IsOver: Sendable {
        let value = Atomic(false)
    }

    private final class QueueExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "QueueExecutor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Station {
        private let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func number() -> Int { 1 }
    }

    private static let station = Station()

    /// Where the work of an input continues.
    enum Place: CaseIterable {
        case mainActor, actor, globalExecutor, detached, task, queue, thread, stream, clock, message

        /// Returns the number that the work adds.
        func number(_ clock: VirtualClock) async -> Int {
            switch self {
            case .mainActor: return await MainActor.run { 1 }
            case .actor: return await station.number()
            case .globalExecutor: return await withTaskExecutorPreference(globalConcurrentExecutor) { 1 }
            case .detached: return await Task.detached { 1 }.value
            case .task:
                return await Task {
                    await Task.yield()
                    return 1
                }.value
            case .queue:
                return await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: 1) }
                }
            case .thread: return await onThread { 1 }
            case .stream:
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                Task.detached { continuation.yield(1) }
                return await stream.first { _ in true } ?? 0
            case .clock:
                return await Task {
                    try? await clock.sleep(for: .seconds(1))
                    return 1
                }.value
            case .message: return 0
            }
        }
    }

    /// Sends an input whose work leaves the executor, and states the result.
    private nonisolated(nonsending) func run(_ place: Place) async {
        let time = VirtualScheduler()
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { input in
            if input > 1 { return .pure(.update { $0 += input }) }
            return EnvIO { _ in
                let number = await place.number(time.clock)
                return .update { $0 += number }
            }
        }
        let test = TestDriver(dispatcher, state: 0, environment: (), time: time)
        let sent = test.send(1)
        switch place {
        case .message:
            Task.detached { [component = test.component] in component.send(2) }
            await test.eventually { test.receive(2) { $0 = 2 } }
            test.send(3) { $0 = 5 }
        case .clock:
            await test.eventually { test.expectWork(sent, .sleeping(until: .seconds(1))) }
            test.advance(by: .seconds(1))
            await test.eventually { test.change(from: sent) { $0 = 1 } }
        default:
            await test.eventually { test.change(from: sent) { $0 = 1 } }
            #expect(time.clock.now == .zero)
        }
        await test.eventually { test.finish() }
    }

    @Test(arguments: Place.allCases)
    func `a driver waits for code that leaves its executor, in each run`(place: Place) async {
        await repeated { await run(place) }
    }

    @MainActor @Test(arguments: [Place.mainActor, .detached])
    func `a test on the main actor waits for code that leaves the executor, in each run`(place: Place) async {
        await repeated { await run(place) }
    }

    @Test(arguments: Front.allCases)
    func `each driver waits for messages of other threads, in each run`(front: Front) async {
        await repeated {
            let test = Orders().driver(front)
            let dispatch = test.dispatching
            Task.detached { dispatch(.add(1)) }
            await test.eventually { test.receive(.add(1)) { $0 = 1 } }
            test.send(.add(2)) { $0 = 3 }
            await test.eventually { test.finish() }
        }
    }

    @Test func `a driver of a loop waits for handlers on the main actor and on queues, in each run`() async {
        let queue = DispatchQueue(label: "handlers")
        await repeated {
            for isOnQueue in [false, true] {
                let test = Orders().loop { router in
                    let route = router.routeCase(Order.other)
                    return isOnQueue
                        ? route.on(queue: queue).toEvent { _ in .add(1) }
                        : route.toEvent { _ in await MainActor.run { .add(1) } }
                }
                test.send(.other("a"))
                test.effects(.other("a"))
                await test.eventually { test.receive(.add(1)) { $0 = 1 } }
                await test.eventually { test.finish() }
            }
        }
    }
}
