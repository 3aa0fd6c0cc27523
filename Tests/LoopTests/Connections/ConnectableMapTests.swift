import Loop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectableMapTests {
    private let log = Log()

    private var echo: AnyConnectable<Int, Int> {
        AnyConnectable { [log] consumer in
            Connection(
                acceptClosure: { input in
                    log.append("accept \(input)")
                    consumer(input)
                },
                disposeClosure: { log.append("dispose") })
        }
    }

    @Test("113. map transforms the emitted values and passes the disposal on")
    func map() {
        let outputs = Record<String>()
        let connection = echo.map { "<\($0)>" }.connect { outputs.append($0) }
        connection.accept(1)
        connection.accept(2)
        connection.dispose()
        #expect(outputs.values == ["<1>", "<2>"])
        #expect(log.lines == ["accept 1", "accept 2", "dispose"])
    }

    @Test("113. contramap transforms the accepted values and passes the disposal on")
    func contramap() {
        let outputs = Record<Int>()
        let connection = echo.contramap { (text: String) in text.count }.connect { outputs.append($0) }
        connection.accept("abc")
        connection.dispose()
        #expect(outputs.values == [3])
        #expect(log.lines == ["accept 3", "dispose"])
    }

    @Test("113. map and contramap compose, and each connection is independent")
    func both() {
        let outputs = Record<String>()
        let connectable = echo.contramap { (text: String) in text.count }.map { "\($0)" }
        let (first, second) = (
            connectable.connect { outputs.append("1: " + $0) }, connectable.connect { outputs.append("2: " + $0) }
        )
        first.accept("ab")
        first.dispose()
        second.accept("abc")
        #expect(outputs.values == ["1: 2", "2: 3"])
        #expect(log.lines == ["accept 2", "dispose", "accept 3"])
    }
}
