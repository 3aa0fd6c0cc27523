import ArchitectureEngine
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Queues whose owner processes one message at a time, as components and stores do.
@Suite("Policy queue: turns", .timeLimit(.minutes(10)))
struct PolicyQueueTurnTests {
    private enum Event: Sendable {
        /// Enqueues a message that submits a work.
        case submit
        /// Processes a message.
        case turn
        /// Lets seconds pass, and enqueues the messages of timers that are due.
        case advance(Int)
    }

    private static let events = Gen.frequency(
        (5, Gen.always(Event.submit)), (5, Gen.always(.turn)), (4, Gen.int(in: 1...12).map { .advance($0) })
    ).array(0...40)

    /// An owner, and the numbers of the works in the order in which they were submitted and started.
    private final class Owner: Sendable {
        let scheduler = VirtualScheduler()
        let submitted = Record<Int>()
        let started = Record<(number: Int, time: Int64)>()
        private let messages = Guarded<[() -> Void]>([])
        private let queue = Guarded<PolicyQueue?>(nil)

        init(_ kind: PolicyKind) {
            queue.value = PolicyQueue(kind.policy(scheduler.clock, for: .seconds(10)), executor: scheduler.executor) {
                [weak self] message in
                self?.enqueue(message)
            }
        }

        private func enqueue(_ message: @escaping () -> Void) { messages.withLock { $0.append(message) } }

        func handle(_ event: Event) {
            switch event {
            case .submit: enqueue { [unowned self] in submit() }
            case .turn:
                let message = messages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                message?()
            case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
            }
        }

        private func submit() {
            let number = submitted.values.count
            submitted.append(number)
            queue.value?.submit { [unowned self] work, queue, occasion in
                let begin = { [unowned self] in
                    started.append((number, scheduler.clock.now.offset.components.seconds))
                    work.end(in: queue)
                }
                if case .now = occasion { begin() } else { enqueue(begin) }
            }
        }
    }

    @Test(
        "Works start in the order in which they were submitted, and the newest wins, however late a turn is",
        arguments: PolicyKind.allCases)
    func order(kind: PolicyKind) async {
        await forAll(Self.events) { events in
            let owner = Owner(kind)
            for event in events { owner.handle(event) }
            for _ in 0..<3 {
                for _ in 0...events.count { owner.handle(.turn) }
                owner.handle(.advance(20))
            }
            let (submitted, started) = (owner.submitted.values, owner.started.values.map(\.number))
            #expect(started == started.sorted())
            let times = owner.started.values.map(\.time)
            switch kind {
            case .concurrent, .limited, .queued, .queuedLatest, .latest, .first: #expect(started == submitted)
            case .debounce, .debounceAtMost: #expect(started.last == submitted.last)
            case .throttle, .throttleToFirst:
                #expect(kind == .throttle ? started.last == submitted.last : started.first == submitted.first)
                #expect(!zip(times, times.dropFirst()).contains { $1 - $0 < 10 })
            }
            let isTimed = kind.policy(owner.scheduler.clock).kind.isTimed
            classify(!isTimed || started.count < submitted.count, "drops works", atLeast: 0.1)
            // With debounce, 15 %: at 10 % wanted, one run of twenty would fail.
            classify(started.count > 1, "starts several works", atLeast: 0.02)
        }
    }
}
