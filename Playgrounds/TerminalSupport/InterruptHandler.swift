import Foundation
import Synchronization

/// Catches Ctrl-C (`SIGINT`), so that a program can stop its work and say so.
///
/// The first interrupt calls the closure, on a thread of its own; a second one ends the process at once with status
/// 130, for a person whose program does not stop. When `init` has returned, interrupts are caught. One per process.
///
/// ```swift
/// let interrupts = InterruptHandler { task.cancel() }
/// ```
///
/// Neither waits for a thread of Dispatch: that all of them are busy may be why a person interrupts.
public final class InterruptHandler: Sendable {
    private struct Shared {
        var isInterrupted: sig_atomic_t = 0
        /// Where the thread that calls the closure is told what happens.
        var pipe: Int32 = -1
    }

    // What a signal handler touches must exist before the signal comes, and must need no lock.
    private nonisolated(unsafe) static let shared = {
        let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
        shared.initialize(to: Shared())
        return shared
    }()

    private let isCancelled = Atomic(false)

    private static let interrupted: UInt8 = 1
    private static let cancelled: UInt8 = 0

    /// Begins to catch interrupts.
    public init(_ onInterrupt: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("There is no file descriptor left for interrupts.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = ends[0]
        InterruptHandler.shared.pointee = Shared(pipe: ends[1])
        KeyMode.prepare()
        Thread.detachNewThread {
            var byte = InterruptHandler.cancelled
            while read(reading, &byte, 1) < 0 && errno == EINTR {}
            if byte == InterruptHandler.interrupted { onInterrupt() }
        }
        signal(SIGINT) { _ in
            if InterruptHandler.shared.pointee.isInterrupted == 1 {
                KeyMode.restore()
                _exit(ExitStatus.interrupted)
            }
            InterruptHandler.shared.pointee.isInterrupted = 1
            InterruptHandler.tell(InterruptHandler.interrupted)
        }
    }

    deinit {
        cancel()
    }

    /// Gives Ctrl-C its usual meaning back: it ends the process. Allowed from any thread, and more than once.
    public func cancel() {
        if isCancelled.exchange(true, ordering: .relaxed) { return }
        signal(SIGINT, KeyMode.ending)
        InterruptHandler.tell(InterruptHandler.cancelled)
    }

    /// Allowed in a signal handler.
    private static func tell(_ byte: UInt8) {
        let number = errno
        withUnsafePointer(to: byte) { _ = write(shared.pointee.pipe, $0, 1) }
        errno = number
    }
}
