import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// The code of the article on lifetimes.
@Suite(.timeLimit(.minutes(10)))
struct LifetimesExamples {
    @Test func theWorkOfAChildEndsWithTheChild() {
        //@block Dispatcher/Lifetimes struct Sheet

        for inputs in [[ScreenInput.dismiss], [.present(2)], [.dismiss, .present(1)]] {
            let (scheduler, log) = (VirtualScheduler(), Log())
            let server = Server { [clock = scheduler.clock] name in
                try? await clock.sleep(for: .seconds(1))
                log.append("\(name) \(Task.isCancelled ? "is cancelled" : "ends")")
                return name
            }
            let component = Component(
                initialState: Screen(), environment: server, executor: scheduler.executor, dispatcher: screen)
            component.send(.present(1))
            let request = component.send(.sheet("a"))
            scheduler.drain()
            for input in inputs { component.send(input) }
            #expect(request.isCancelled)
            scheduler.advance(by: .seconds(2))
            #expect(log.lines == ["a is cancelled"])
            #expect(component.state.sheet?.text != "a")
        }
    }
}
