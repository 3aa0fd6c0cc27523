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

    @Test("113. map and contramap transform the values and pass the disposal on, and each connection is independent")
    func both() {
        let outputs = Record<String>()
        let connectable = echo.contramap { (text: String) in text.count }.map { "\($0)" }
        let (first, second) = (
            connectable.connect { outputs.append("1: " + $0) }, connectable.connect { outputs.append("2: " + $0) }
        )
        first.accept("ab")
        first.dispose()
        second.accept("abc")
        second.accept("a")
        #expect(outputs.values == ["1: 2", "2: 3", "2: 1"])
        #expect(log.lines == ["accept 2", "dispose", "accept 3", "accept 1"])
    }
}
