import Loop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectableClassTests {
    final class Echo: ConnectableClass<Int, String>, @unchecked Sendable {
        // Unchecked: it adds only a constant, which is `Sendable`.
        let calls = Log()

        override func handle(_ input: Int) {
            calls.append("handle \(input)")
            send("\(input)")
        }

        override func onConnect() {
            calls.append("connect")
            send("connected")
        }

        override func onDispose() {
            calls.append("dispose")
            send("disposed")
        }
    }

    final class Deaf: ConnectableClass<Int, String>, @unchecked Sendable {}

    @Test("112. onConnect is called once before the first value, and onDispose once at the end")
    func life() {
        let echo = Echo()
        let connection = echo.connect { _ in }
        connection.accept(1)
        connection.dispose()
        connection.dispose()
        #expect(echo.calls.lines == ["connect", "handle 1", "dispose"])
    }

    @Test("112. If several threads dispose a connection at the same time, onDispose is called once")
    func disposingOnThreads() {
        for _ in 0..<1_000 {
            let echo = Echo()
            let connection = echo.connect { _ in }
            onThreads(3) { _ in connection.dispose() }
            #expect(echo.calls.lines == ["connect", "dispose"])
        }
    }

    @Test("112. Values that are sent without a connection are dropped")
    func sending() {
        let (echo, events) = (Echo(), Record<String>())
        echo.send("too early")
        let connection = echo.connect { events.append($0) }
        connection.accept(1)
        connection.dispose()
        echo.send("too late")
        #expect(events.values == ["connected", "1"])
    }

    @Test("112. Disposing an old connection again does not end the new connection")
    func again() {
        let (echo, events) = (Echo(), Record<String>())
        let first = echo.connect { _ in }
        first.dispose()
        let second = echo.connect { events.append($0) }
        first.dispose()
        second.accept(2)
        #expect(events.values == ["connected", "2"])
    }

    enum Mistake: String, CaseIterable, Codable {
        case secondConnection = "was connected a second time before its first connection was disposed. To fix, "
        case valueAfterTheEnd = "was given 7 by a connection that had been disposed. To fix, "
    }

    @Test(
        "112. A second connection, or a value for a disposed one, traps with a message", .promptly,
        arguments: Mistake.allCases)
    func trap(_ mistake: Mistake) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            let echo = Echo()
            let connection = echo.connect { _ in }
            if mistake == .secondConnection { _ = echo.connect { _ in } }
            connection.dispose()
            connection.accept(7)
        }
        #expect(result.standardErrorText.contains("Echo \(mistake.rawValue)"))
    }

    @Test("112. A subclass that does not override handle(_:) ignores its values")
    func notOverridden() {
        let events = Record<String>()
        let deaf = Deaf()
        let connection = deaf.connect { events.append($0) }
        connection.accept(7)
        deaf.send("a")
        connection.dispose()
        #expect(events.values == ["a"])
    }
}
