import FunctionalCore
import TestSupport
import Testing

@Suite("Trace buffer", .timeLimit(.minutes(10)))
struct TraceBufferTests {
    private let owner = TraceEvent.Owner(name: "Owner", number: 1)

    private func event(_ id: Int, _ value: any Sendable = 0) -> TraceEvent {
        TraceEvent(
            id: id, cause: nil, time: .zero, owner: owner, kind: .dropped(TraceValue(value), because: .cancelled))
    }

    @Test("A buffer keeps the last events, in the order of their numbers", arguments: [0, 1, 2, 3, 4, 5, 11])
    func capacity(count: Int) {
        let buffer = TraceBuffer(capacity: 3)
        for id in 0..<count { buffer.receive(event(id)) }
        #expect(buffer.all.map(\.id) == Array((0..<count).suffix(3)))
        #expect(buffer.droppedCount == max(0, count - 3))
    }

    @Test("Events that arrive in another order are sorted by their numbers")
    func order() {
        let buffer = TraceBuffer()
        for id in [2, 1, 3] { buffer.receive(event(id)) }
        #expect(buffer.all.map(\.id) == [1, 2, 3])
    }

    @Test("A buffer of no events keeps one")
    func empty() {
        let buffer = TraceBuffer(capacity: 0)
        for id in 1...2 { buffer.receive(event(id)) }
        #expect(buffer.all.map(\.id) == [2])
    }

    @Test("A buffer is empty after its events were removed, and fills again")
    func removal() {
        let buffer = TraceBuffer(capacity: 2)
        for id in 1...3 { buffer.receive(event(id)) }
        buffer.removeAll()
        #expect(buffer.all.isEmpty)
        for id in 4...6 { buffer.receive(event(id)) }
        #expect(buffer.all.map(\.id) == [5, 6])
    }

    @Test("A value that uses the buffer when it is released finds it unlocked")
    func release() {
        let buffer = TraceBuffer(capacity: 1)
        let counts = Record<Int>()
        for id in 1...2 { buffer.receive(event(id, Witness { counts.append(buffer.all.count) })) }
        #expect(counts.values == [1])
        buffer.removeAll()
        #expect(counts.values == [1, 0])
    }
}
