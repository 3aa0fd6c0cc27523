import Loop
import TestSupport
import Testing

/// A connection whose closures are on the main actor.
@Suite(.timeLimit(.minutes(10))) @MainActor struct ConnectionTests {
    @Test("Values that are pending on an actor when their connection is disposed are dropped")
    func disposing() async {
        let log = Log()
        let connection = Connection<Int>(
            acceptClosure: { @MainActor value in log.append("\(value)") },
            disposeClosure: { @MainActor in log.append("disposed") })
        connection.accept(1)
        // The main actor is busy here, so the second value is pending.
        onThreads(1) { _ in connection.accept(2) }
        connection.dispose()
        #expect(log.lines == ["1"])
        await Task { @MainActor in }.value
        #expect(log.lines == ["1", "disposed"])
    }
}
