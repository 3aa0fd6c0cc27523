import Foundation
import Synchronization

/// A handler of Ctrl-C (`SIGINT`), with which a program can stop its work and report that it was interrupted.
///
/// The first interrupt calls the closure on a thread of its own. The second one ends the process at once with status
/// 130, in case the program does not stop. Interrupts are caught once `init` has returned. A process may have one
/// handler at a time.
///
/// ```swift
/// let interrupts = InterruptHandler { task.cancel() }
/// ```
///
/// Neither of the two waits for a thread of Dispatch, because a person may interrupt a program that blocks all of them.
public final class InterruptHandler: Sendable {
    private struct Shared {
        var isInterrupted: sig_atomic_t = 0
        /// The writing end of the pipe from which the thread that calls the closure reads.
        var pipe: Int32 = -1
    }

    // Memory that a signal handler accesses must exist before the signal arrives, and must not need a lock.
    private nonisolated(unsafe) static let shared = {
        let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
        shared.initialize(to: Shared())
        return shared
    }()

    private let isCancelled = Atomic(false)

    private static let interrupted: UInt8 = 1
    private static let cancelled: UInt8 = 0

    /// Creates a handler and begins to catch interrupts.
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

    /// Restores the default effect of Ctrl-C, which ends the process. May be called from any thread, and repeatedly.
    public func cancel() {
        if isCancelled.exchange(true, ordering: .relaxed) { return }
        signal(SIGINT, KeyMode.ending)
        InterruptHandler.tell(InterruptHandler.cancelled)
    }

    /// Writes to the pipe. May be called in a signal handler.
    private static func tell(_ byte: UInt8) {
        let number = errno
        withUnsafePointer(to: byte) { _ = write(shared.pointee.pipe, $0, 1) }
        errno = number
    }
}
