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

    @Test("Closures on two actors are each called on their own actor")
    func twoActors() async {
        // In a process of its own: the check of an actor's isolation traps.
        await #expect(processExitsWith: .success) { @MainActor in
            let log = Log()
            let connection = Connection<Int>(
                acceptClosure: { @MainActor value in
                    MainActor.shared.preconditionIsolated()
                    log.append("\(value)")
                },
                disposeClosure: { @Elsewhere in
                    Elsewhere.shared.preconditionIsolated()
                    log.append("disposed")
                })
            connection.accept(1)
            onThreads(1) { _ in connection.accept(2) }
            await Task { @MainActor in }.value
            connection.dispose()
            // The disposal may reach its actor after a task that is created later.
            while log.lines.count < 3 { await Task.yield() }
            precondition(log.lines == ["1", "2", "disposed"])
        }
    }

    @Test("Disposing drops the values that are pending on an actor, also if the disposing closure has no isolation")
    func disposingWithoutIsolation() async {
        let log = Log()
        let dispose: @Sendable () -> Void = { log.append("disposed") }
        let connection = Connection<Int>(
            acceptClosure: { @MainActor value in log.append("\(value)") }, disposeClosure: dispose)
        onThreads(1) { _ in connection.accept(1) }
        connection.dispose()
        await Task { @MainActor in }.value
        #expect(log.lines == ["disposed"])
    }
}

@globalActor private actor Elsewhere {
    static let shared = Elsewhere()
}
