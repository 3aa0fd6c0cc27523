import ArchitectureTesting
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// What a test of each of the three drivers states, and is right: no issue may be recorded.
@Suite(.timeLimit(.minutes(10))) struct DriverStatementTests {
    private let orders = Orders()

    @Test("72. A test that states everything records no issue", arguments: Front.allCases)
    func everything(front: Front) {
        let test = orders.driver(front)
        test.send(.add(1)) { $0 = 1 }
        let sent = test.send(.load(5))
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.result(5, of: sent)
        test.expectWork(sent)
        test.finish()
        #expect(test.state == 6)
        // A driver may be used after `finish`.
        test.send(.add(1)) { $0 = 7 }
        test.finish()
    }

    @Test(
        "72. The messages of an observer are received after the one that caused them, each with its own change",
        arguments: Front.allCases)
    func observers(front: Front) {
        let test = orders.driver(front)
        test.answer(1, with: .add(1))
        test.answer(2, with: .touch)
        test.send(.add(1)) { $0 = 1 }
        #expect(test.state == 1)
        test.receive(.add(1)) { $0 = 2 }
        test.receive(.touch)
        test.finish()
    }

    @Test(
        "72. A message is received by equality, by a prism or by a predicate, and returned", arguments: Front.allCases)
    func kinds(front: Front) {
        let test = orders.driver(front)
        for number in 1...3 { test.dispatch(.add(number)) }
        test.receive(.add(1)) { $0 = 1 }
        #expect(test.receive(Order.prism(for: Order.add)) { $0 = 3 } == 2)
        let isOther = { (order: Order) in order != .touch }
        #expect(test.receive(where: isOther) { $0 = 6 } == .add(3))
        test.finish()
    }

    @Test("72. The work of a received message belongs to it, and to the one that was sent", arguments: Front.allCases)
    func workOfAReceivedMessage(front: Front) {
        let test = orders.driver(front)
        test.answer(1, with: .load(1))
        let sent = test.send(.add(1)) { $0 = 1 }
        let received = test.receive(.load(1))
        test.expectCall("load", 1)
        for sent in [sent, received] { test.expectWork(sent, .sleeping(until: .seconds(1))) }
        test.advance(by: .seconds(1))
        test.result(1, of: received)
        test.finish()
    }

    // MARK: - Policies

    /// Sends two orders, the second one half a second later, and states the calls.
    private func sendTwo(
        _ test: AnyTestDriver<Int>, _ order: (Int) -> Order, calls: Int
    ) -> (first: Sent, second: Sent) {
        let first = test.send(order(1))
        test.advance(by: .seconds(0.5))
        let second = test.send(order(2))
        for call in 0..<calls { test.expectCall("load", call + 1) }
        return (first, second)
    }

    @Test(arguments: Front.allCases)
    func `concurrent works are under way side by side`(front: Front) {
        let test = orders.driver(front)
        let (first, second) = sendTwo(test, Order.load, calls: 2)
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.result(1, of: first)
        test.result(2, of: second)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `works that end at the same time are received in the order in which they were started`(front: Front) {
        let test = orders.driver(front)
        let sent = (1...2).map { test.send(.load($0)) }
        for number in 1...2 { test.expectCall("load", number) }
        test.advance(by: .seconds(1))
        for number in 1...2 { test.result(number, of: sent[number - 1]) }
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `work that newer work replaces is no longer under way`(front: Front) {
        let test = orders.driver(front)
        let (first, second) = sendTwo(test, Order.newest, calls: 2)
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.result(2, of: second)
        test.finish()
    }

    @Test("72. A message that a policy queues is work under way", arguments: Front.allCases)
    func queued(front: Front) {
        let test = orders.driver(front)
        let (first, second) = sendTwo(test, Order.queued, calls: 1)
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .waiting)
        test.advance(by: .seconds(0.5))
        test.result(1, of: first)
        test.expectCall("load", 2)
        test.expectWork(second, .sleeping(until: .seconds(2)))
        test.advance(by: .seconds(1))
        test.result(2, of: second)
        test.finish()
    }

    @Test(
        "72. A message that a policy delays is work under way until a newer one replaces it", arguments: Front.allCases)
    func delayed(front: Front) {
        let test = orders.driver(front)
        let (first, second) = sendTwo(test, Order.paused, calls: 0)
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.result(2, of: second)
        test.expectWork(second)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `work that something outside of virtual time ends is under way until then`(front: Front) {
        let test = orders.driver(front)
        let sent = test.send(.wait)
        test.expectWork(sent, .waiting)
        orders.open()
        test.result(1, of: sent)
        test.expectWork(sent)
        test.finish()
    }

    // MARK: - Calls and failures

    @Test(arguments: Front.allCases)
    func `a call may be expected by its name alone`(front: Front) {
        let test = orders.driver(front)
        let sent = test.send(.load(5))
        #expect(test.expectCall(named: "load")?.arguments.first as? Int == 5)
        test.advance(by: .seconds(1))
        test.result(5, of: sent)
        test.finish()
    }

    @Test(.promptly) func `a failure that is stated is not written to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for front in Front.allCases {
                let test = Orders().driver(front)
                test.send(.fail)
                test.expectFailure(Offline.self)
                test.finish()
            }
        }
        #expect(result?.standardErrorText.contains("Offline") == false)
    }

    // MARK: - Several drivers, and none

    @Test(arguments: Front.allCases)
    func `two drivers may share a clock and a recorder`(front: Front) {
        let (first, second) = (orders.driver(front), orders.driver(front))
        let (one, two) = (first.send(.load(1)), second.send(.load(2)))
        first.expectCall("load", 1)
        second.expectCall("load", 2)
        first.expectWork(one, .sleeping(until: .seconds(1)))
        second.expectWork(two, .sleeping(until: .seconds(1)))
        first.advance(by: .seconds(1))
        second.result(2, of: two)
        first.result(1, of: one)
        first.finish()
        second.finish()
    }

    @Test(arguments: Front.allCases)
    func `a driver releases its component, loop or store, and lets cancelled work end`(front: Front) {
        weak var owner: AnyObject?
        do {
            let test = orders.driver(front, relaxing: .work)
            owner = test.owner
            test.send(.load(1))
            test.expectCall("load", 1)
            _ = reported { test.finish() }
            #expect(orders.errors.lines == [])
        }
        #expect(owner == nil)
        #expect(orders.errors.lines == ["CancellationError()"])
    }
}
