import Dispatch
import Loop
import TestSupport
import Testing

/// `MobiusController.dispatchEvent(_:)`.
@Suite("Events that are dispatched to a controller", .timeLimit(.minutes(10)))
struct ControllerDispatchTests {
    /// Logs dropped events only.
    private struct Drops: MobiusLogger {
        let log: Log
        var threads = Record<ThreadMark>()

        func didDrop(event: Numbers.Event) {
            if case .add(let number) = event { log.append("dropped \(number)") }
            threads.append(.current)
        }

        typealias Model = [Int]
        typealias Effect = Numbers.Effect
    }

    private let drops = Drops(log: Log())
    private var builder: Numbers.Builder { Numbers.builder().withLogger(drops) }

    @Test("A stopped controller drops the event, and its logger is called by the calling thread")
    func stopped() {
        let controller = Numbers.controller(builder)
        controller.dispatchEvent(.add(1))
        controller.start()
        controller.stop()
        controller.dispatchEvent(.add(2))
        #expect(drops.log.lines == ["dropped 1", "dropped 2"])
        #expect(drops.threads.values == [.current, .current])
        controller.start()
        controller.stop()
        #expect(controller.model == [])
    }

    @Test("A stopped controller without a logger drops the event")
    func withoutLogger() {
        let controller = Numbers.controller()
        controller.dispatchEvent(.add(1))
        #expect(controller.model == [])
    }

    @Test("95. Events that are enqueued when the controller stops are dropped, and logged", arguments: [true, false])
    func enqueuedAtStop(isDispatched: Bool) {
        let source = Port<Numbers.Event>()
        let controller = Numbers.controller(builder.withEventSource(PortSource(port: source)))
        let send: @Sendable (Numbers.Event) -> Void = { event in
            if isDispatched { controller.dispatchEvent(event) } else { source.send(event) }
        }
        controller.start()
        let stopped = DispatchSemaphore(value: 0)
        send(.add(1))
        send(
            .call {
                for number in 2...4 { send(.add(number)) }
                controller.stop()
                stopped.signal()
            })
        stopped.wait()
        // The drain of the old loop is enqueued before the start.
        controller.start()
        controller.stop()
        #expect(controller.model == [1])
        #expect(drops.log.lines == ["dropped 2", "dropped 3", "dropped 4"])
    }

    @Test("An update may dispatch to its controller")
    func inUpdate() async throws {
        let controller = Numbers.controller(builder)
        controller.start()
        controller.dispatchEvent(.callInUpdate { controller.dispatchEvent(.add(1)) })
        try await controller.settled()
        #expect(controller.model == [1])
        controller.stop()
    }

    @Test("Dispatched events pass through the transformer, which may dispatch while the controller starts")
    func transformers() async throws {
        let slot = Guarded<Numbers.Controller?>(nil)
        let count = Record<Void>()
        let transforming = builder.withEventConsumerTransformer { consumer in
            count.append(())
            slot.value?.dispatchEvent(.add(1))
            slot.value?.dispatchEvent(.add(2))
            return { event in
                if case .add(let number) = event { consumer(.add(10 * number)) } else { consumer(event) }
            }
        }
        let controller = Numbers.controller(transforming)
        slot.value = controller
        controller.start()
        controller.dispatchEvent(.add(3))
        try await controller.settled()
        #expect(controller.model == [10, 20, 30])
        #expect(count.values.count == 1)
        controller.stop()
        slot.value = nil
    }

    @Test("Each event of many threads is processed or logged as dropped, while the controller stops and starts")
    func stress() async throws {
        let controller = Numbers.controller(builder, loopQueue: .global())
        let sends = 2_000
        onThreads(3) { thread in
            if thread == 0 {
                for _ in 0..<100 {
                    controller.start()
                    controller.stop()
                }
            } else {
                for number in 0..<sends { controller.dispatchEvent(.add(number)) }
            }
        }
        // The drains of old loops are enqueued before this start.
        controller.start()
        controller.stop()
        #expect(controller.model.count + drops.log.lines.count == 2 * sends)
    }

    @Test("SimpleLogger writes a dropped event")
    func simpleLogger() {
        let log = Log()
        let logger = SimpleLogger<[Int], Numbers.Event, Numbers.Effect>(tag: "loop") { log.append($0) }
        Numbers.controller(Numbers.builder().withLogger(logger, Drops(log: log))).dispatchEvent(.add(1))
        #expect(log.lines == ["loop: Event dropped: add(1)", "dropped 1"])
    }
}
