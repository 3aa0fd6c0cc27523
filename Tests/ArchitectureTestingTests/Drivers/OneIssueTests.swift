import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// One cause gives one issue, however many statements follow.
@Suite(.timeLimit(.minutes(10))) struct OneIssueTests {
    private let orders = Orders()

    /// A driver to which other code has sent the numbers.
    private func driver(_ front: Front, _ numbers: some Sequence<Int>) -> AnyTestDriver<Int> {
        let test = orders.driver(front)
        for number in numbers { test.dispatch(.add(number)) }
        return test
    }

    /// Receives the numbers, with the state after each of them.
    private func receive(_ numbers: some Sequence<Int>, _ test: AnyTestDriver<Int>, from start: Int = 0) {
        var sum = start
        for number in numbers {
            sum += number
            test.receive(.add(number)) { [sum] in $0 = sum }
        }
    }

    @Test(arguments: Front.allCases)
    func `A message that is not received is one issue, although others follow`(front: Front) {
        let test = driver(front, [100] + Array(1...20))
        let text = """
            Expected the \(front.message) add(1), but first came: the \(front.message) add(100). To fix, state first what \
            came first, in this order.
            """
        #expect(reported { receive([1], test) }.map(\.text) == [text])
        receive(2...20, test, from: 101)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `A message that is received and has not come is one issue, although others follow`(front: Front) {
        let test = driver(front, 1...20)
        #expect(reported { receive([100], test) }.map { $0.text.prefix(20) } == ["Received a different"])
        receive(1...20, test)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `A message with another payload is one issue, although its change differs and equal ones follow`(
        front: Front
    ) {
        let test = driver(front, Array(repeating: 1, count: 20))
        #expect(reported { receive([7], test) }.map { $0.text.prefix(20) } == ["Received a different"])
        receive(Array(repeating: 1, count: 19), test, from: 1)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `Messages that are received in another order are one issue with the order`(front: Front) {
        let test = driver(front, [1, 2, 3, 4])
        let text = """
            Expected the \(front.message) add(3), but first came: the \(front.message) add(1), the \(front.message) add(2). \
            To fix, state first what came first, in this order.
            """
        #expect(reported { receive([3, 2, 1], test) }.map(\.text) == [text])
        receive([4], test, from: 6)
        test.finish()
    }

    @Test func `Changes that are stated in another order are one issue with the order`() {
        let test = orders.component()
        let sent = [1, 2, 3].map { test.send(.load($0)) }
        for number in 1...3 { test.expectCall("load", number) }
        test.advance(by: .seconds(1))
        test.dispatch(.touch)
        on { test.change(from: sent[2]) { $0 = 3 } }.are(
            """
            Expected a change from load(3), but first came: a change from load(1), a change from load(2). To fix, state \
            first what came first, in this order.
            """)
        test.change(from: sent[1]) { $0 = 5 }
        test.change(from: sent[0]) { $0 = 6 }
        test.receive(.touch)
        test.finish()
    }

    @Test func `A message that comes before many changes is one issue`() {
        let test = orders.component()
        let sent = (1...20).map { test.send(.load($0)) }
        for number in 1...20 { test.expectCall("load", number) }
        test.dispatch(.add(100))
        test.advance(by: .seconds(1))
        on { test.change(from: sent[0]) { $0 = 1 } }.are(
            """
            Expected a change from load(1), but first came: the input add(100). To fix, state first what came first, in \
            this order.
            """)
        for number in 1..<20 { test.change(from: sent[number]) { $0 += number + 1 } }
        test.finish()
    }

    @Test func `The effects of an event that is received out of order are stated after it`() {
        let test = orders.loop { $0.routeCase(Order.other).to { (_: String) in } }
        for name in ["a", "b"] { test.loop.dispatchEvent(.other(name)) }
        #expect(reported { test.receive(.other("b")) }.count == 1)
        test.effects(.other("b"))
        test.receive(.other("a"))
        test.effects(.other("a"))
        test.finish()
    }

    @Test func `An issue does not count for the messages after the next send`() {
        let test = driver(.component, [1, 2])
        #expect(reported { test.receive(.add(2)) }.count == 1)
        test.send(.touch)
        #expect(reported { test.receive(.add(1)) }.map { $0.text.prefix(13) } == ["No input came"])
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `A failure names the state that it shows if the state of the driver is a later one`(front: Front) {
        let test = orders.driver(front, relaxing: [.state, .messages])
        test.answer(1, with: .add(10))
        let failures = reported { test.send(.add(1)) { $0 = 5 } }.filter { !$0.isWarning }
        #expect(
            failures.map(\.text) == [
                """
                The state after add(1) differs: because .state is relaxed, the closure was applied to the actual state \
                after add(1), and has changed it (− expected, + got)
                − - 5
                + - 1
                  The state has changed since, and the state of the driver is a later one.
                To fix, assign the values that the state has then, or state the whole change.
                """
            ])
        #expect(test.state == 11)
        _ = reported { test.finish() }
    }
}
