import Dispatch
import Foundation

/// Threads that all send to one receiver, which must count every message.
final class Threads: @unchecked Sendable {
    // Unchecked: what changes is used by the measuring task alone, after the threads have ended.
    private let count: Int
    private let sends: Int
    private let send: @Sendable () -> Void
    private let total: () async -> Int
    private var expected = 0
    private var isExact = true

    /// - Parameters:
    ///   - send: Sends one message.
    ///   - total: Waits until all messages are processed, and returns how many were counted since the beginning.
    init(_ count: Int, sends: Int, send: @escaping @Sendable () -> Void, total: @escaping () async -> Int) {
        self.count = count
        self.sends = sends
        self.send = send
        self.total = total
    }

    /// On all cores, by the clock.
    var onAllCores: Subject {
        Subject(onAllCores: name, operations: count * sends, body).checked { [self] in isExact }
    }

    /// On one core, by core time.
    var onOneCore: Subject {
        Subject(waiting: name, operations: count * sends, body).checked { [self] in isExact }
    }

    private var name: String { "\(count) thread\(count == 1 ? "" : "s")" }

    private func body() async {
        runThreads()
        expected += count * sends
        if await total() != expected { isExact = false }
    }

    private func runThreads() {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread { [send, sends] in
                for _ in 0..<sends { send() }
                group.leave()
            }.start()
        }
        group.wait()
    }
}
