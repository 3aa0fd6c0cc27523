import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

/// The code of the article on lifetimes that is about loops.
@Suite(.timeLimit(.minutes(10)))
struct LifetimesLoopExamples {
    @Test func theUploadOfARemovedRowIsCancelled() {
        //@block Dispatcher/Lifetimes struct Upload

        let (scheduler, log) = (VirtualScheduler(), Log())
        let clock = scheduler.clock
        let send: @Sendable (Int) async -> Void = { id in
            try? await clock.sleep(for: .seconds(1))
            log.append("\(id) \(Task.isCancelled ? "is cancelled" : "is sent")")
        }
        //@block Dispatcher/Lifetimes var router

        let loop = Mobius.loop(update: list, effectHandler: router).withExecutor(scheduler.executor).start(from: [])
        for event in [RowEvent.add(1), .add(2)] { loop.dispatchEvent(event) }
        scheduler.drain()
        loop.dispatchEvent(.remove(1))
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["1 is cancelled", "2 is sent"])
        #expect(loop.latestModel == [Upload(id: 2, isDone: true)])
        loop.dispose()
    }
}
