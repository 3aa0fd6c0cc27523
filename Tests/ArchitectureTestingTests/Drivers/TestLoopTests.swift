import ArchitectureTesting
import FunctionalCore
import Loop
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// What a test states, and is right: no issue may be recorded.
@Suite(.timeLimit(.minutes(10))) struct TestLoopTests {
    private let reader = ReaderTest()

    @Test func `a test that states everything records no issue`() {
        let test = reader.driver()
        let sent = test.send(.open(5)) { $0.title = "loading" }
        test.effects(.load(5))
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 5")) { $0.title = "post 5" }
        test.expectWork(sent)
        test.finish()
        #expect(test.state == Reader(title: "post 5"))
    }

    @Test func `an event that a handler sends at once is received after the effects`() {
        let test = reader.driver()
        test.send(.both(1))
        test.effects(.echo(2), .echo(1))
        test.receive(.echoed(1)) { $0.count = 1 }
        test.receive(.echoed(2)) { $0.count = 3 }
        test.finish()
    }

    @Test func `an observer sends events that are received`() {
        let test = reader.driver()
        test.loop.addObserver { [weak loop = test.loop] model in
            if model == Reader(count: 1) { loop?.dispatchEvent(.failed("again")) }
        }
        test.send(.answered(1)) { $0.count = 1 }
        test.receive(.failed("again")) { $0.title = "again" }
        test.send(.echo(1))
        test.effects(.echo(1))
        test.receive(.echoed(1)) { $0.count = 2 }
        test.finish()
    }

    @Test func `events are received by equality, by a prism and by a predicate`() {
        let test = reader.driver()
        test.send(.both(1))
        test.effects(.echo(1), .echo(2))
        #expect(test.receive(ReaderEvent.prism(for: ReaderEvent.echoed)) { $0.count = 1 } == 1)
        let isOther = { (event: ReaderEvent) in event != .touch }
        #expect(test.receive(where: isOther) { $0.count = 3 } == .echoed(2))
        test.finish()
    }

    @Test func `effects may be taken, in order`() {
        let test = reader.driver()
        test.send(.both(1))
        #expect(test.takeEffects() == [.echo(1), .echo(2)])
        test.receive(.echoed(1)) { $0.count = 1 }
        #expect(test.takeEffects() == [])
        test.receive(.echoed(2)) { $0.count = 3 }
        test.effects()
        test.finish()
    }

    @Test func `a debounced effect is work that sleeps, and is replaced by a newer one`() {
        let test = reader.driver()
        let first = test.send(.search("s"))
        test.effects(.search("s"))
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(0.5))
        let second = test.send(.search("sw"))
        test.effects(.search("sw"))
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.receive(.found("sw")) { $0.title = "sw" }
        test.expectWork(second)
        test.finish()
    }

    @Test func `effects of one event that replace each other are one work`() {
        let time = reader.time
        let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
            .policy(.debounce(for: .seconds(1), clock: time.clock)).toEvent { -$0 }
        let builder = Mobius.loop(
            update: Update<Int, Int, Int> { _, event in
                event < 0 ? .next(event) : .dispatchEffects([event, event + 1, event + 1])
            }, effectHandler: router)
        let test = TestLoop(builder, from: 0, time: time)
        let sent = test.send(1)
        test.effects(1, 2, 2)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(-2) { $0 = -2 }
        test.finish()
    }

    @Test func `effects of one event that wait under several policies are several works`() {
        let time = reader.time
        var router = EffectRouter<Int, Int>()
        for seconds in 1...3 {
            router = router.routeEffects(withParameters: { $0 == seconds ? "same" : nil })
                .policy(.debounce(for: .seconds(seconds), clock: time.clock)).toEvent { _ in -seconds }
        }
        let builder = Mobius.loop(
            update: Update<Int, Int, Int> { _, event in event < 0 ? .next(event) : .dispatchEffects([3, 2, 1]) },
            effectHandler: router)
        let test = TestLoop(builder, from: 0, time: time)
        let sent = test.send(1)
        test.effects(1, 2, 3)
        test.expectWork(
            sent, .sleeping(until: .seconds(1)), .sleeping(until: .seconds(2)), .sleeping(until: .seconds(3)))
        test.advance(by: .seconds(1))
        test.receive(-1) { $0 = -1 }
        test.expectWork(sent, .sleeping(until: .seconds(2)), .sleeping(until: .seconds(3)))
        test.advance(by: .seconds(1))
        test.receive(-2) { $0 = -2 }
        test.expectWork(sent, .sleeping(until: .seconds(3)))
        test.advance(by: .seconds(1))
        test.receive(-3) { $0 = -3 }
        test.finish()
    }

    @Test func `the test ends an effect by its callback`() {
        let test = reader.driver()
        let sent = test.send(.ask)
        test.effects(.ask)
        test.expectWork(sent, .waiting)
        reader.callbacks.values[0].send(.answered(1))
        test.receive(.answered(1)) { $0.count = 1 }
        test.expectWork(sent, .waiting)
        reader.callbacks.values[0].end(with: .answered(2))
        test.receive(.answered(2)) { $0.count = 2 }
        test.expectWork(sent)
        test.finish()
    }

    @Test func `work that a received event has started belongs to the event, and to the one that was sent`() {
        let test = reader.driver()
        test.loop.addObserver { [weak loop = test.loop] model in
            if model == Reader(count: 1) { loop?.dispatchEvent(.open(1)) }
        }
        let sent = test.send(.answered(1)) { $0.count = 1 }
        let received = test.receive(.open(1)) { $0.title = "loading" }
        test.effects(.load(1))
        test.expectCall("load", 1)
        test.expectWork(received, .sleeping(until: .seconds(1)))
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 1")) { $0.title = "post 1" }
        test.finish()
    }

    @Test func `a handler that throws has failed, or sends the event of its error`() {
        let test = reader.driver()
        let sent = test.send(.fail)
        test.effects(.fail)
        test.expectWork(sent)
        #expect(test.expectFailure(Offline.self) == Offline())
        test.send(.fetch)
        test.effects(.fetch)
        test.advance(by: .seconds(1))
        test.receive(.failed("Offline()")) { $0.title = "Offline()" }
        test.finish()
    }

    @Test func `an observer of errors receives the errors that are stated`() {
        let errors = Record<String>()
        let test = reader.driver { $0.withErrorObserver { error, source in errors.append("\(source): \(error)") } }
        test.send(.fail)
        test.effects(.fail)
        test.expectFailure(Offline.self)
        test.finish()
        #expect(errors.values.count == 1)
    }
}

// MARK: - Beginnings and ends

extension TestLoopTests {
    @Test func `first effects are handled, and need not be stated`() {
        let test = reader.driver(effects: [.echo(1), .load(2)])
        test.expectCall("load", 2)
        test.receive(.echoed(1)) { $0.count = 1 }
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 2")) { $0.title = "post 2" }
        test.finish()
    }

    @Test func `what initiate does is stated as for an event`() {
        let initiate: Initiate<Reader, ReaderEffect> = { reader in
            First(model: Reader(title: reader.title + "er"), effects: [.echo(1), .echo(2)])
        }
        let test = TestLoop(reader.builder, from: Reader(title: "old"), initiate: initiate) { $0.title = "older" }
        test.effects(.echo(1), .echo(2))
        test.receive(.echoed(1)) { $0.count = 1 }
        test.receive(.echoed(2)) { $0.count = 3 }
        test.finish()
        #expect(test.state == Reader(title: "older", count: 3))
    }

    @Test func `disposing ends all work, and later events are dropped`() {
        let test = reader.driver()
        let sent = test.send(.open(1)) { $0.title = "loading" }
        test.effects(.load(1))
        test.expectCall("load", 1)
        let asked = test.send(.ask)
        test.effects(.ask)
        test.dispose()
        test.expectWork(sent)
        test.expectWork(asked)
        #expect(reader.log.lines == ["ask disposed"])
        reader.callbacks.values[0].end(with: .answered(1))
        test.advance(by: .seconds(1))
        test.dispose()
        test.finish()
        #expect(test.state == Reader(title: "loading"))
    }

    @Test func `the program may dispose the loop, in a handler, too`() {
        let test = reader.driver()
        reader.quit.withLock { $0 = { [weak loop = test.loop] in loop?.dispose() } }
        let sent = test.send(.stall)
        test.effects(.stall)
        test.send(.quit)
        test.effects(.quit)
        test.expectWork(sent)
        test.finish()
        #expect(reader.log.lines == ["stall ended"])
    }

    @Test func `the driver releases its loop, and lets cancelled work end`() {
        weak var loop: MobiusLoop<Reader, ReaderEvent, ReaderEffect>?
        do {
            let test = reader.driver(relaxing: .work)
            loop = test.loop
            test.send(.stall)
            test.effects(.stall)
            _ = reported { test.finish() }
            #expect(reader.log.lines == [])
        }
        #expect(loop == nil)
        #expect(reader.log.lines == ["stall ended"])
    }
}

// MARK: - Event sources, handlers without a router, and transformers

extension TestLoopTests {
    @Test func `an event source that is a sequence runs in virtual time, and is not left over`() {
        let test = reader.driver { [reader] in $0.withEventSource { reader.ticks() } }
        test.advance(by: .seconds(2))
        test.receive(.tick) { $0.count = 1 }
        test.receive(.tick) { $0.count = 2 }
        test.advance(by: .seconds(0.5))
        test.finish()
    }

    @Test func `an event source may depend on the model`() {
        let test = reader.driver { [reader] in $0.withEventSource(PlayingSource(time: reader.time)) }
        test.advance(by: .seconds(5))
        let sent = test.send(.play(true)) { $0.title = "playing" }
        test.expectWork(sent)
        test.advance(by: .seconds(2))
        test.receive(.tick) { $0.count = 1 }
        test.receive(.tick) { $0.count = 2 }
        test.send(.play(false)) { $0.title = "paused" }
        test.advance(by: .seconds(5))
        test.finish()
    }

    @Test func `a handler that is a connectable is not left over, and its tasks are`() {
        let time = reader.time
        let builder = Mobius.loop(update: reading, effectHandler: PlainHandler(time: time))
        let test = TestLoop(builder, from: Reader(), effects: [.echo(2)], time: time)
        test.receive(.echoed(2)) { $0.count = 2 }
        let sent = test.send(.open(1)) { $0.title = "loading" }
        test.effects(.load(1))
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 1")) { $0.title = "post 1" }
        test.send(.echo(1))
        test.effects(.echo(1))
        test.receive(.echoed(1)) { $0.count = 3 }
        test.finish()
    }

    @Test func `an event that a transformer changes is stated as sent, and further ones are received`() {
        let test = reader.driver {
            $0.withEventConsumerTransformer { consumer in
                { event in
                    guard case .answered(let number) = event else { return consumer(event) }
                    for number in 0..<number { consumer(.answered(number * 10)) }
                }
            }
        }
        test.send(.answered(3))
        test.receive(.answered(10)) { $0.count = 10 }
        test.receive(.answered(20)) { $0.count = 20 }
        test.loop.dispatchEvent(.answered(0))
        test.finish()
    }

    @Test func `two loops share a clock and a recorder`() {
        let (first, second) = (reader.driver(), reader.driver())
        let one = first.send(.open(1)) { $0.title = "loading" }
        first.effects(.load(1))
        second.send(.open(2)) { $0.title = "loading" }
        second.effects(.load(2))
        first.expectCall("load", 1)
        second.expectCall("load", 2)
        first.expectWork(one, .sleeping(until: .seconds(1)))
        first.advance(by: .seconds(1))
        first.receive(.loaded("post 1")) { $0.title = "post 1" }
        second.receive(.loaded("post 2")) { $0.title = "post 2" }
        first.finish()
        second.finish()
    }

    @Test func `all orders of concurrent effects can be tried, and a lost update is found`() async {
        /// Increments a number that it has read before it waited.
        func counts(_ order: StepOrder) -> Int {
            let (time, number) = (VirtualScheduler(order: order), Locked(0))
            let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { (step: Int) async in
                let read = number.withLock { $0 }
                await Task.yield()
                number.withLock { $0 = read + step }
            }
            let builder = Mobius.loop(
                update: Update<Int, Int, Int> { _, step in .dispatchEffects([step]) }, effectHandler: router)
            let test = TestLoop(builder, from: 0, effects: [1, 1], time: time)
            test.finish()
            return number.withLock { $0 }
        }
        let results = Record<Int>()
        await forAllOrders { order in results.append(counts(order)) }
        #expect(Set(results.values) == [1, 2])
    }
}
