import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Component: finalizers of cancelled work", .timeLimit(.minutes(10)))
struct FinalizerReportTests {
    @Test("The failure of a finalizer is reported if its action was cancelled and succeeds all the same", .promptly)
    func cancelled() async {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scheduler = VirtualScheduler()
            let dispatcher = StateDispatcher<Void, String, String>.effectful { input in
                .bracket(
                    acquire: EnvIO<Void, any Error, Void>.pure(()), release: { _ in .fail(Broken()) },
                    use: { _ in
                        EnvIO { () async in
                            try? await Deferred<Void>().value
                            return .set(input)
                        }
                    })
            }
            let component = Component(
                initialState: "", environment: (), executor: scheduler.executor, dispatcher: dispatcher)
            component.onError { _, _ in report("The error was observed.") }
            let work = component.send("a")
            scheduler.drain()
            work.cancel()
            scheduler.drain()
            report("The state is \"\(component.state)\".")
        }?.expectError(
            """
            A finalizer's error was ignored, because its program had already failed or been cancelled: Broken()
            The state is "".
            """)
    }
}
