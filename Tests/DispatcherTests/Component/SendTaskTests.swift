import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Waiting for the work of an input", .timeLimit(.minutes(10)))
struct SendTaskTests {
    private let scheduler: VirtualScheduler
    private let component: Component<[Int], Int>
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        component = Component(
            initialState: [], environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, [Int], Int>.effectful { number in
                EnvIO<Void, any Error, Void>.sleep(for: .seconds(number), clock: scheduler.clock)
                    .map { .update { $0.append(number) } }
            })
    }

    /// Starts a task that awaits `handle`, with `finish()` or with `waitUntilFinished()`.
    private func wait(_ handle: SendTask, cancelling: Bool) -> Task<Void, any Error> {
        scheduler.start { [log] in
            if cancelling { await handle.finish() } else { await handle.waitUntilFinished() }
            log.append("finished")
        }
    }

    @Test("finish() passes the cancellation of its caller to the work, and returns when that has ended")
    func cancelling() {
        let handle = component.send(3)
        let caller = wait(handle, cancelling: true)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == [])
        caller.cancel()
        #expect(handle.isCancelled)
        scheduler.drain()
        #expect(log.lines == ["finished"])
        scheduler.advance(by: .seconds(3))
        #expect(component.state == [])
    }

    @Test("finish() does not return before cancelled work that ignores its cancellation has ended")
    func deaf() {
        let suspended = Record<CheckedContinuation<Void, Never>>()
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ async in
                    await withCheckedContinuation { suspended.append($0) }
                    return .set(number)
                }
            })
        let caller = wait(component.send(1), cancelling: true)
        scheduler.drain()
        caller.cancel()
        scheduler.drain()
        #expect(log.lines == [])
        for continuation in suspended.values { continuation.resume() }
        scheduler.drain()
        #expect(log.lines == ["finished"])
        #expect(component.state == 0)
    }

    @Test("waitUntilFinished() passes on no cancellation, and waits for the end of the work")
    func waiting() {
        let handle = component.send(3)
        let caller = wait(handle, cancelling: false)
        scheduler.drain()
        caller.cancel()
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["finished"])
        #expect(!handle.isCancelled)
        #expect(component.state == [3])
    }

    @Test("Work that has finished stays finished when a caller of finish() is cancelled")
    func finished() {
        let handle = component.send(1)
        scheduler.advance(by: .seconds(1))
        wait(handle, cancelling: true).cancel()
        scheduler.drain()
        #expect(log.lines == ["finished"])
        #expect(!handle.isCancelled)
        #expect(component.state == [1])
    }

    @Test("In a task that is cancelled already, finish() cancels the work and waitUntilFinished() does not")
    func lateCaller() {
        let (cancelled, kept) = (component.send(1), component.send(2))
        wait(cancelled, cancelling: true).cancel()
        wait(kept, cancelling: false).cancel()
        scheduler.advance(by: .seconds(2))
        #expect(cancelled.isCancelled)
        #expect(!kept.isCancelled)
        #expect(component.state == [2])
    }

    @Test("If one of two callers of finish() is cancelled, the shared work is cancelled for both")
    func sharedHandle() {
        let handle = component.send(3)
        let callers = [wait(handle, cancelling: true), wait(handle, cancelling: true)]
        scheduler.drain()
        callers[0].cancel()
        scheduler.drain()
        #expect(log.lines == ["finished", "finished"])
        #expect(component.state == [])
    }
}
