import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// A cancelled workflow begins no action, takes no element of a stream and calls no error handler.
@Suite(.timeLimit(.minutes(10))) struct CancelledWorkflowTests {
    @Test("An action that ends as cancelled ends its workflow")
    func cancelledAction() {
        let dispatcher = StateDispatcher<Void, Int, Int>.workflow { _ in [.cancelled, .pure(.set(1))] }
        let component = Component(initialState: 0, environment: (), dispatcher: dispatcher)
        component.send(0)
        #expect(component.state == 0)
    }

    @Test("No action begins if the input is cancelled after the previous commit")
    func cancelledBetweenActions() {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let began = Log()
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.workflow { number in
                if number > 0 { return [.pure(.set(number))] }
                return [
                    EnvIO { () async throws in
                        try await clock.sleep(for: .seconds(1))
                        return .set(1)
                    },
                    EnvIO { () throws in
                        began.append("second")
                        return .set(2)
                    },
                ]
            })
        let work = component.send(0)
        scheduler.drain()
        component.observe { [weak component] state in
            if state == 10 {
                // The change of the first action is enqueued behind this one, and the input behind that.
                scheduler.advance(by: .seconds(1))
                component?.send(20)
            }
            if state == 20 { work.cancel() }
        }
        component.send(10)
        scheduler.drain()
        #expect(component.state == 20)
        #expect(began.lines.isEmpty)
    }

    @Test("A cancelled workflow stops reading a stream that does not observe cancellation")
    func stream() {
        let scheduler = VirtualScheduler()
        let taken = Guarded(0)
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.stream { _, _ in
                DeafSequence {
                    let number = taken.withLock { taken in
                        taken += 1
                        return taken
                    }
                    return number <= 100 ? .set(number) : nil
                }
            })
        let work = component.send(0)
        component.observe { if $0 == 3 { work.cancel() } }
        scheduler.drain()
        #expect(component.state == 3)
        #expect(taken.withLock { $0 } == 3)
    }

    @Test("A stream's error handler is called once, and not after cancellation", arguments: [false, true])
    func handler(isCancelled: Bool) {
        let scheduler = VirtualScheduler()
        let (clock, log) = (scheduler.clock, Log())
        let thrown = Log()
        let stream = StateDispatcher<Void, Int, Int>.stream { _, _ in
            // It could throw ten times.
            DeafSequence<State<Int, Void>> {
                try await clock.sleep(for: .seconds(1))
                thrown.append("")
                if thrown.lines.count <= 10 { throw Broken() }
                return nil
            }
        }
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: stream.handleError { error, _ in
                log.append("\(error)")
                return .set(1)
            })
        let work = component.send(0)
        scheduler.drain()
        if isCancelled { work.cancel() }
        scheduler.advance(by: .seconds(100))
        #expect(log.lines == (isCancelled ? [] : ["Broken()"]))
        #expect(component.state == (isCancelled ? 0 : 1))
    }
}
