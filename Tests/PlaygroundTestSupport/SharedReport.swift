import Foundation

/// The report of a process, shared by the threads that read its output and wait for its exit.
///
/// `@unchecked Sendable`: all methods access the mutable properties only while they hold `lock`. Other accesses would
/// race.
final class SharedReport: @unchecked Sendable {
    struct Waiter {
        let condition: @Sendable (RunningProcess.Report) -> Bool
        let continuation: CheckedContinuation<RunningProcess.Report, Never>
    }

    let identifier: Int32
    private let lock = NSLock()
    private var report = RunningProcess.Report()
    private var waiters: [Waiter] = []

    init(identifier: Int32) {
        self.identifier = identifier
    }

    func wait(_ waiter: Waiter) {
        change { _ in waiters.append(waiter) }
    }

    func signal(_ number: Int32) {
        // Under the lock, because another process may have the identifier after this one has been reaped.
        lock.withLock {
            if report.status == nil { _ = kill(identifier, number) }
        }
    }

    func collect(from descriptor: Int32, into bytes: WritableKeyPath<RunningProcess.Report, [UInt8]>) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                change { $0[keyPath: bytes] += buffer[..<count] }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(descriptor)
        change { $0.openPipes -= 1 }
    }

    func waitForExit() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        change { report in
            var status: Int32 = 0
            waitpid(identifier, &status, 0)
            let signal = status & 0x7F
            report.status = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    private func change(_ body: (inout RunningProcess.Report) -> Void) {
        let (due, current) = lock.withLock {
            body(&report)
            let current = report
            let due = waiters.filter { current.isEnded || $0.condition(current) }
            waiters.removeAll { current.isEnded || $0.condition(current) }
            return (due, current)
        }
        for waiter in due { waiter.continuation.resume(returning: current) }
    }
}
