import ArchitectureTesting
import Loop
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct HandlerSpecTests {
    /// Ends at once for zero. For other numbers, the test answers by the callback.
    private struct Counter: EffectHandler {
        let callbacks = Record<EffectCallback<Int>>()
        let disposals = Record<Int>()

        func handle(_ number: Int, _ callback: EffectCallback<Int>) -> any Disposable {
            if number == 0 {
                callback.end(with: 0)
            } else {
                callbacks.append(callback)
            }
            return AnonymousDisposable { disposals.append(number) }
        }
    }

    @Test func aSpecReportsTheEventsAndThatTheHandlingEnded() {
        HandlerSpec.given(Counter()).when(0).expect(0).expectHandlings(.ended)
    }

    @Test func eachEffectIsTrackedSeparately() throws {
        let counter = Counter()
        let spec = HandlerSpec.given(counter).when(1).when(2).expect().expectHandlings(.underWay, .underWay)
        counter.callbacks.values[0].send(10)
        counter.callbacks.values[1].end(with: 20, 21)
        spec.expect(10, 20, 21).expectHandlings(.underWay, .ended)
        spec.expect()
        #expect(spec.events == [10, 20, 21])
    }

    @Test func disposingDisposesUnfinishedHandlingsAndTheirEventsAreDropped() {
        let counter = Counter()
        let spec = HandlerSpec.given(counter).when(1).when(0).expect(0).dispose().expectHandlings(.disposed, .ended)
        #expect(counter.disposals.values == [1])
        counter.callbacks.values[0].send(1)
        spec.expect()
    }

    @Test func aHandlingWhoseCallbackIsReleasedIsStillUnderWay() {
        HandlerSpec<Int, Int>.given { _, _ in EmptyDisposable() }.when(1).expect().expectHandlings(.underWay)
    }

    @Test func disposingEndsTheCallback() {
        let counter = Counter()
        HandlerSpec.given(counter).when(1).dispose()
        #expect(counter.callbacks.values.map(\.ended) == [true])
    }

    @Test func aRouterReportsEventsButNoHandlings() {
        let executor = ManualExecutor()
        let router = EffectRouter<Int, String>(executor: executor)
            .routeEffects(withParameters: { $0 < 0 ? nil : $0 }).toEvent { number in "\(number)" }
            .routeEffects(withParameters: { $0 < 0 ? -$0 : nil }).toEvent { (number) async -> String? in
                "async \(number)"
            }
        let spec = HandlerSpec.given(router).when(1).when(-2).expect("1")
        executor.drain()
        spec.expect("async 2")
        #expect(spec.handlings == nil)
    }

    @Test func unexpectedEventsRecordAnIssueAtTheCallersLine() {
        on { HandlerSpec.given(Counter()).when(0).expect(1) }.are(
            """
            The events differ (− expected, + got)
            − - 1
            + - 0
            """)
    }

    @Test func unexpectedOrUnknownHandlingsRecordAnIssue() {
        on { HandlerSpec.given(Counter()).when(1).expectHandlings(.ended) }.are(
            """
            The progress of the effects differs (− expected, + got)
            − - ArchitectureTesting.Handling.ended
            + - ArchitectureTesting.Handling.underWay
            """)
        on { HandlerSpec.given(EffectRouter<Int, Int>()).expectHandlings() }.are(
            "A connectable does not report progress. To fix, create the spec with an effect handler.")
    }
}
