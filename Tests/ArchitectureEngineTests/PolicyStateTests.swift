import ArchitectureEngine
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("Policy state", .timeLimit(.minutes(10)))
struct PolicyStateTests {
    static let interval = 3

    static let events: Gen<[PolicyEvent]> = {
        let any = Gen.int(in: 0...9)
        return Gen.frequency(
            (20, Gen.zip(Gen.bool, Gen.int(in: 0...2)).map { .submit(nested: $0, ago: $1) }),
            (12, Gen.int(in: 1...4).map { .advance($0) }),
            (8, any.map { .finish($0) }),
            (8, any.map { .beginDelivery($0) }),
            (8, Gen.always(.endDelivery)),
            (4, any.map { .cancel($0) }),
            (2, Gen.int(in: 1...4).map { .advanceWithoutTimers($0) }),
            (2, any.map { .fireStoppedTimer($0) }),
            (4, Gen.always(.beginTurn)),
            (6, Gen.always(.endTurn)),
            (3, Gen.always(.flush)),
            (1, Gen.always(.breakClock)),
            (1, Gen.always(.close))
        ).array(0...60)
    }()

    @Test("Each policy keeps its rules after each event", arguments: PolicyKind.allCases)
    func rules(kind: PolicyKind) async {
        await forAll(Self.events) { events in
            var simulation = PolicySimulation(kind)
            for event in events { simulation.handle(event) }
            classify(simulation.has { $0 == .dropped } || kind == .concurrent, "drops works", atLeast: 0.03)
            classify(simulation.startCount > 1, "starts several works", atLeast: 0.03)
            classify(simulation.deliveryCount > 0, "delivers", atLeast: 0.03)
            let isTimed = kind.policy(VirtualClock()).kind.isTimed
            classify(simulation.flushCount > 0 || !isTimed, "flushes", atLeast: 0.03)
        }
    }

    @Test(
        "A timer that decides before its turn would start an older work after a newer one",
        arguments: [PolicyKind.throttle, .throttleToFirst])
    func decidingEarly(kind: PolicyKind) async {
        await withKnownIssue {
            await forAll(Self.events) { events in
                var simulation = PolicySimulation(kind, decidesInTurn: false)
                for event in events { simulation.handle(event) }
            }
        }
    }

    @Test("Each submitted work is either dropped, or started and finished", arguments: PolicyKind.allCases)
    func ends(kind: PolicyKind) async {
        await forAll(Self.events, Gen.bool) { events, closes in
            var simulation = PolicySimulation(kind)
            for event in events { simulation.handle(event) }
            simulation.endAll(closes: closes)
            #expect(!simulation.has { $0 != .dropped && $0 != .finished })
            #expect(simulation.state.isIdle)
        }
    }

    @Test("A queue is kept while a result of a finished work waits, and no longer")
    func waitingResults() {
        var state = PolicyState<Int>(Policy.latest.kind)
        let work = Work()
        _ = state.submit(work, 0, at: .zero, mayStart: true)
        var flag = state.beginDelivery(work)
        _ = state.endDelivery()
        _ = state.finish(work)
        let isKept = !state.isLikeNew(at: .zero)
        #expect(isKept && flag != nil)
        flag = nil
        let isLikeNew = state.isLikeNew(at: .zero)
        #expect(isLikeNew)
    }

    @Test("A delivery that has begun is void with its work, also if the work finishes before it is cancelled")
    func endsDuringDelivery() {
        let ends: [(inout PolicyState<Int>, Work) -> Void] = [
            { state, work in
                _ = state.finish(work)
                _ = state.close()
            },
            { state, work in
                let replaced = state.submit(Work(), 1, at: .zero, mayStart: true).replaced
                #expect(replaced.map(ObjectIdentifier.init) == [ObjectIdentifier(work)])
                // It finishes before its cancellation, which then does nothing.
                state.finish(work).finished?.end()
                work.cancel()
                #expect(!work.isCancelled)
            },
        ]
        for end in ends {
            var state = PolicyState<Int>(Policy.latest.kind)
            let work = Work()
            _ = state.submit(work, 0, at: .zero, mayStart: true)
            let flag = state.beginDelivery(work)
            #expect(flag?.isCancelled == false)
            end(&state, work)
            #expect(flag?.isCancelled == true)
        }
    }

    @Test("Works that are cancelled while they wait are removed in any order, and the others keep theirs")
    func removingWaitingWorks() {
        let count = 100_000
        var state = PolicyState<Int>(Policy.queued.kind)
        let running = Work()
        _ = state.submit(running, -1, at: .zero, mayStart: true)
        let numbers = (0..<count).compactMap { state.submit(Work(), $0, at: .zero, mayStart: true).waiting }
        for number in numbers.reversed() where number % 1_000 != 7 {
            #expect(state.cancel(number).dropped.map(\.start) == [number])
        }
        var work = running
        for expected in stride(from: 7, to: count, by: 1_000) {
            _ = state.finish(work)
            guard let entry = state.next() else { return #expect(Bool(false), "\(expected) did not start.") }
            #expect(entry.start == expected)
            work = entry.work
        }
        _ = state.finish(work)
        #expect(state.next() == nil)
        #expect(state.isIdle)
    }
}
