import Dispatch
import Foundation
import Loop
import TestSupport
import Testing

/// Loggers. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct LoggerTests {
    private static let countdown = Update<Int, Int, String> { model, event in
        switch event {
        case 0: .noChange
        case ..<0: .dispatchEffects(["below"])
        default: .next(model + event, effects: ["first", "second"])
        }
    }

    private func builder(
        _ update: Update<Int, Int, String> = countdown
    ) -> Mobius.Builder<Int, Int, String> {
        Mobius.loop(update: update, effectHandler: ManualHandler())
    }

    @Test("84. A logger is notified before and after each update, with the model and the answer")
    func updates() {
        let log = Log()
        let loop = builder().withLogger(TellTale(log)).start(from: 5)
        for event in [2, 0, -1] { loop.dispatchEvent(event) }
        #expect(
            log.lines == [
                "willUpdate 5 2", #"didUpdate 5 2 (7, ["first", "second"])"#,
                "willUpdate 7 0", "didUpdate 7 0 (nil, [])",
                "willUpdate 7 -1", #"didUpdate 7 -1 (nil, ["below"])"#,
            ])
        #expect(loop.latestModel == 7)
    }

    @Test("84. A logger is notified on the thread of the update")
    func threads() {
        let updating = Record<ThreadMark>()
        let update = Update<Int, Int, String> { model, event in
            updating.append(.current)
            return .next(model + event)
        }
        let logger = TellTale<Int, Int, String>(Log())
        let loop = builder(update).withLogger(logger).start(from: 0)
        onThreads(1) { _ in loop.dispatchEvent(1) }
        #expect(updating.values.count == 1)
        #expect(logger.threads.values == updating.values + updating.values)
        #expect(!updating.values.contains(.current))
    }

    @Test("84. A logger changes neither the observed models nor the handled effects")
    func sameWithLogger() {
        func run(_ logger: TellTale<Int, Int, String>?) -> (models: [Int], effects: [String]) {
            let (handler, models) = (ManualHandler<String, Int>(), Record<Int>())
            let builder = Mobius.loop(update: Self.countdown, effectHandler: handler)
            let loop = (logger.map { builder.withLogger($0) } ?? builder).start(from: 0)
            loop.addObserver { models.append($0) }
            for event in [2, 0, -1, 3] { loop.dispatchEvent(event) }
            return (models.values, handler.effects)
        }
        #expect(run(nil) == ([0, 2, 5], ["first", "second", "below", "first", "second"]))
        #expect(run(TellTale(Log())) == run(nil))
    }

    @Test("85. A raw loop logs no initiation, even with initial effects")
    func rawLoopsDoNotInitiate() {
        let log = Log()
        let loop = builder().withLogger(TellTale(log)).start(from: 5, effects: ["first"])
        #expect(log.lines == [])
        loop.dispose()
        #expect(log.lines == [])
    }

    @Test("85. A controller logs each initiation, and none without an initiate function")
    func controllersInitiate() {
        let (log, silent) = (Log(), Log())
        let queue = DispatchQueue(label: "test")
        let controller = builder().withLogger(TellTale(log)).makeController(
            from: 5, initiate: { First(model: $0 + 1, effects: ["first"]) }, loopQueue: queue, viewQueue: queue)
        let without = builder().withLogger(TellTale(silent)).makeController(
            from: 5, loopQueue: queue, viewQueue: queue)
        for controller in [controller, without] {
            for _ in 0..<2 {
                controller.start()
                controller.stop()
            }
        }
        #expect(
            log.lines == [
                "willInitiate 5", #"didInitiate 5 (6, ["first"])"#,
                "willInitiate 6", #"didInitiate 6 (7, ["first"])"#,
            ])
        #expect(silent.lines == [])
    }

    // MARK: - Several

    @Test("Several loggers are notified in the order of the arguments")
    func several() {
        let log = Log()
        let loop = builder().withLogger(TellTale(log, name: "a "), TellTale(log, name: "b ")).start(from: 5)
        loop.dispatchEvent(0)
        #expect(
            log.lines == [
                "a willUpdate 5 0", "b willUpdate 5 0", "a didUpdate 5 0 (nil, [])", "b didUpdate 5 0 (nil, [])",
            ])
    }

    @Test("A second call of withLogger replaces the first logger")
    func replacing() {
        let log = Log()
        let loop = builder().withLogger(TellTale(log, name: "a ")).withLogger(TellTale(log, name: "b ")).start(from: 5)
        loop.dispatchEvent(0)
        #expect(log.lines == ["b willUpdate 5 0", "b didUpdate 5 0 (nil, [])"])
    }

    @Test("AnyMobiusLogger notifies all its loggers of initiations")
    func severalInitiations() {
        let log = Log()
        let loggers = AnyMobiusLogger<Int, Int, String>(all: [TellTale(log, name: "a "), TellTale(log, name: "b ")])
        loggers.willInitiate(model: 1)
        loggers.didInitiate(model: 1, first: First(model: 2))
        AnyMobiusLogger(TellTale<Int, Int, String>(log, name: "c ")).willInitiate(model: 3)
        #expect(
            log.lines == [
                "a willInitiate 1", "b willInitiate 1", "a didInitiate 1 (2, [])", "b didInitiate 1 (2, [])",
                "c willInitiate 3",
            ])
    }

    // MARK: - SimpleLogger

    @Test("SimpleLogger writes a line for each event, each new model and each effect")
    func simpleLogger() {
        let log = Log()
        let loop = builder().withLogger(SimpleLogger(tag: "my loop") { log.append($0) }).start(from: 5)
        for event in [2, 0, -1] { loop.dispatchEvent(event) }
        #expect(
            log.lines == [
                "my loop: Event received: 2",
                "my loop: Model updated: 7",
                "my loop: Effect dispatched: first",
                "my loop: Effect dispatched: second",
                "my loop: Event received: 0",
                "my loop: Event received: -1",
                "my loop: Effect dispatched: below",
            ])
    }

    @Test("SimpleLogger writes the initiation of a controller")
    func simpleLoggerOfController() {
        let log = Log()
        let queue = DispatchQueue(label: "test")
        let controller = builder().withLogger(SimpleLogger(tag: "my loop") { log.append($0) }).makeController(
            from: 5, initiate: { First(model: $0 + 1, effects: ["first"]) }, loopQueue: queue, viewQueue: queue)
        controller.start()
        controller.stop()
        #expect(
            log.lines == [
                "my loop: Initializing loop",
                "my loop: Loop initialized, starting from model: 6",
                "my loop: Effect dispatched: first",
            ])
    }

    @Test("SimpleLogger has a default tag, and accepts its consumer with the label of Mobius")
    func simpleLoggerAsInMobius() {
        let log = Log()
        let loggers: [SimpleLogger<Int, Int, String>] = [
            SimpleLogger(tag: "mine", consumer: { log.append($0) }), SimpleLogger(consumer: { log.append($0) }),
            SimpleLogger { log.append($0) },
        ]
        for logger in loggers { logger.didUpdate(model: 1, event: 2, next: .next(3)) }
        #expect(log.lines == ["mine: Model updated: 3", "Mobius: Model updated: 3", "Mobius: Model updated: 3"])
        _ = SimpleLogger<Int, Int, String>()
    }

    @Test("SimpleLogger prints its lines by default", .promptly)
    func simpleLoggerPrints() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Mobius.beginnerLoop { (model: Int, event: Int) in model + event }
                .withLogger(SimpleLogger(tag: "printed")).start(from: 0).dispatchEvent(3)
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        #expect(output.contains("printed: Event received: 3\nprinted: Model updated: 3\n"))
    }
}
